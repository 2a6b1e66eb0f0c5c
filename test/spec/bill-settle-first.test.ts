/** With `SettleBeforeAnswer` the last byte waits for the charge; what happens where that cannot be stored. */
import t from 'tap'
import type { OpenDatabase } from '../../kernel/store/database.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

/** A database that stores no charge while it is shut, or refuses those of one test for good. */
function gate() {
  let refused = false
  let open: Promise<void> = Promise.resolve()
  let release: () => void = () => {}
  let sendRequest: () => void = () => {}
  return {
    shut() {
      open = new Promise((resolve) => {
        release = resolve
      })
      return new Promise<void>((resolve) => {
        sendRequest = resolve
      })
    },
    open: () => release(),
    refuse(always: boolean) {
      refused = always
    },
    wrap: (database: OpenDatabase): OpenDatabase => ({
      ...database,
      async billing(statement) {
        const closes = statement.values?.includes('{close}') === true
        if (closes) sendRequest()
        if (closes) await open
        // Data that can never be stored (class 22 of PostgreSQL's codes): the fault of this call alone.
        if (closes && refused) throw Object.assign(new Error('out of range'), { code: '22003' })
        return database.billing(statement)
      },
    }),
  }
}

const database = gate()
const gateway = await scriptedGateway(t, { wrap: database.wrap })
const { admin, upstream } = gateway
await admin.option('SettleBeforeAnswer', 'true')
const stream = events(
  chat.delta('Hi '),
  chat.delta('there.'),
  chat.stop(),
  chat.usage(10, 3),
  chat.done,
)

/** As many round trips as bytes on their way to another client of this machine need at most. */
async function roundTrips(): Promise<void> {
  for (let trip = 0; trip < 10; trip += 1) await (await fetch(`${gateway.url}/health/live`)).text()
}

t.test('[BILL-1] the end of a stream leaves after its charge', async (t) => {
  upstream.script(stream)
  const closing = database.shut()
  const answer = await gateway.chat(ask({ stream: true }))
  const reader = answer.body!.getReader()
  let text = ''
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += Buffer.from(value).toString()
    }
  }
  const reading = read()
  await closing
  await roundTrips()
  t.notMatch(text, /\[DONE\]/)
  database.open()
  await reading
  t.match(text, /Hi .*there\..*\[DONE\]/s)
  const [row] = await gateway.logs()
  t.match(row, { quota: 22, completion_tokens: 3 })
})

t.test('[BILL-1] a whole answer leaves after its charge', async (t) => {
  upstream.script(json(200, chat.whole('Hi there.', 10, 3)))
  const closing = database.shut()
  let answered = false
  const asking = gateway.chat(ask()).then((answer) => {
    answered = true
    return answer
  })
  await closing
  await roundTrips()
  t.equal(answered, false)
  database.open()
  const answer = await asking
  t.equal(answer.status, 200)
  t.match(await answer.text(), /Hi there/)
})

t.test(
  'a client that leaves while its charge is stored is charged, and nothing is left open',
  async (t) => {
    upstream.script(json(200, chat.whole('Hi there.', 10, 3)))
    const before = await gateway.balance()
    const closing = database.shut()
    const leaving = new AbortController()
    const asking = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask()),
    })
    await closing
    leaving.abort()
    await t.rejects(asking)
    database.open()
    t.equal(before - (await gateway.balance()), 22n)
  },
)

t.test('[BILL-1] a charge that is refused for good takes the place of the last byte', async (t) => {
  const before = await gateway.balance()
  database.refuse(true)
  upstream.script(json(200, chat.whole('Hi there.', 10, 3)))
  const whole = await gateway.chat(ask())
  t.equal(whole.status, 500)
  t.match(await whole.json(), { error: { code: 'internal_error' } })
  upstream.script(stream)
  const streamed = await gateway.chat(ask({ stream: true }))
  const text = await streamed.text()
  t.match(text, /Hi .*internal_error/s)
  t.notMatch(text, /\[DONE\]/)
  database.refuse(false)
  upstream.script(json(200, chat.whole('Hi there.', 10, 3)))
  t.equal((await gateway.chat(ask())).status, 200, 'the next request is not concerned')
  t.ok((await gateway.balance()) <= before - 22n)
})
