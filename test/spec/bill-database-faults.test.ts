import t from 'tap'
import type { OpenDatabase } from '../../kernel/store/database.js'
import { management } from '../kit/management.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

/** A database that can be made to refuse every billing statement, as one that is not there does. */
function outage() {
  let down = false
  const refuse = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  return {
    begin: () => {
      down = true
    },
    end: () => {
      down = false
    },
    wrap: (database: OpenDatabase): OpenDatabase => ({
      ...database,
      billing: (statement) => (down ? refuse() : database.billing(statement)),
      probe: () => (down ? refuse() : database.probe()),
    }),
  }
}

t.test(
  'with the database down nothing is relayed: 503, and ready states so while live does not (P1)',
  async (t) => {
    const database = outage()
    const { chat: call, upstream, url, gateway } = await scriptedGateway(t, { wrap: database.wrap })
    upstream.script(json(200, chat.whole('Hi.', 10, 2)))
    database.begin()
    // The first finds out, the others are informed at once.
    for (const turn of ['first', 'second', 'third']) {
      const answer = await call(ask())
      t.equal(answer.status, 503, turn)
      t.match(await answer.json(), { error: { code: 'database_unavailable' } })
    }
    t.equal(upstream.requests.length, 0)
    const ready = await fetch(`${url}/health/ready`)
    t.equal(ready.status, 503)
    t.match(await ready.text(), 'database connection failed')
    t.equal((await fetch(`${url}/health/live`)).status, 200)
    database.end()
    await gateway.idle()
    const again = await call(ask())
    t.equal(again.status, 200, 'it comes back by itself')
    await again.text()
  },
)

t.test(
  'a database that goes away before the settlement costs no charge: it is repeated until it is back (P2)',
  async (t) => {
    const database = outage()
    const gateway = await scriptedGateway(t, { wrap: database.wrap })
    const before = await gateway.balance()
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    gateway.upstream.script(
      events(chat.delta('one'), held, chat.stop(), chat.usage(10, 5), chat.done),
    )
    const answer = await gateway.chat(ask({ stream: true }))
    const reader = answer.body!.getReader()
    await reader.read()
    database.begin()
    release()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read());
    database.end()
    t.equal(before - (await gateway.balance()), 30n, '10 + 5 x 4, once')
  },
)

t.test('a disabled owner is refused at once, whatever memory states (AUTH-2)', async (t) => {
  const gateway = await scriptedGateway(t)
  const { admin, upstream } = gateway
  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
  const { id } = await admin.must('POST', '/api/user/', {
    username: 'grace',
    password: 'long enough pw',
    display_name: 'Grace',
  })
  t.type(id, 'number')
  await admin.credit(id, 1_000_000)
  const grace = management(gateway.url)
  await grace.login('grace', 'long enough pw')
  const { key } = await grace.token()
  const call = () => gateway.chat(ask(), { authorization: `Bearer ${key}` })
  t.equal((await call()).status, 200)
  await admin.must('POST', '/api/user/manage', { id, action: 'disable' })
  const refused = await call()
  t.equal(refused.status, 403)
  t.match(await refused.json(), { error: { code: 'user_disabled' } })
})
