/** Recording under load and without its database: memory is bounded, what is lost is counted, and no request notices (decision 0097). */
import t, { type Test } from 'tap'
import { databaseKind } from '../kit/database.js'
import { failingDatabase } from '../kit/failing-database.js'
import { ask, type ScriptedGateway, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Script } from '../kit/upstream.js'

t.setTimeout(240_000)

const reply = json(200, chat.whole('Hello', 3, 2))
/** One quota a token of the prompt, four one of the completion. */
const charge = 11n
const megabyte = 1024 * 1024

async function recording(t: Test, options?: Parameters<typeof scriptedGateway>[1]) {
  const gateway = await scriptedGateway(t, options)
  const form = { level: 'bodies', minutes: 60 }
  await gateway.admin.must('PUT', '/api/recordings/everybody', form)
  return { ...gateway, recordings: gateway.gateway.service('recordings') }
}

/** Answers once so many have come. */
function gate(count: number): Script {
  let waiting = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return async (request, response) => {
    waiting += 1
    if (waiting === count) open()
    await opened
    await reply(request, response)
  }
}

async function together(gateway: ScriptedGateway, count: number, content = 'hello') {
  const begun = performance.now()
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await gateway.chat(ask({ messages: [{ role: 'user', content }] }))
      await answer.text()
      return answer.status
    }),
  )
  return { statuses: new Set(statuses), ms: performance.now() - begun }
}

t.test('[API-7] a thousand requests at once are recorded within bounds', async (t) => {
  const gateway = await recording(t, { funds: 1_000_000_000 })
  const { upstream, recordings, admin } = gateway
  const knex = gateway.gateway.service('database').knex
  const before = await gateway.balance()
  const content = 'some words '.repeat(5_000)
  upstream.script(gate(1_000))
  const { statuses, ms } = await together(gateway, 1_000, content)
  t.same([...statuses], [200], 'none fails for it')
  t.equal(before - (await gateway.balance()), 1_000n * charge)
  await recordings.flush()
  const { written, dropped } = recordings.counts()
  t.equal(written + dropped, 1_000, 'each is written or counted')
  const ids = await knex('recordings').pluck('request_id')
  t.equal(ids.length, written)
  let held = 0
  let cut = 0
  for (const id of ids) {
    const { client, upstream } = (await recordings.read(id))!
    for (const { body } of [client.request, ...upstream.calls.map(({ request }) => request)]) {
      held += body.text.length
      cut += Number(body.cut)
    }
  }
  t.ok(held <= 32 * megabyte, `${held} bytes of bodies were held at once`)
  t.ok(held > 24 * megabyte, 'what there is room for is kept')
  t.ok(cut > 0, 'what finds no room is shown to be cut')
  t.match(await admin.must('GET', '/api/recordings/stored'), { written, dropped })
  await admin.must('DELETE', '/api/recordings/everybody')
  upstream.script(gate(1_000))
  const without = await together(gateway, 1_000, content)
  t.comment(`a thousand recorded: ${Math.round(ms)} ms, without: ${Math.round(without.ms)} ms`)
  t.ok(ms < 3 * without.ms + 2_000, `${ms} ms, without ${without.ms} ms`)
  await admin.must('PUT', '/api/recordings/everybody', { level: 'bodies', minutes: 60 })
  upstream.script(reply)
  await together(gateway, 1, content)
  await recordings.flush()
  const last = await knex('recordings').orderBy('created_at', 'desc').first('request_id')
  const { client } = (await recordings.read(last.request_id))!
  t.notOk(client.request.body.cut, 'all room is free again')
})

const skip = databaseKind === 'pglite' && 'its faults are those of PostgreSQL'

for (const fault of ['readOnly', 'lost', 'late'] as const) {
  t.test(
    `[API-7] a recording that cannot be written (${fault}) is counted`,
    { skip },
    async (t) => {
      const failing = failingDatabase()
      const gateway = await recording(t, { wrap: failing.wrap })
      gateway.upstream.script(reply)
      const before = await gateway.balance()
      void failing.strike(fault, { at: /INSERT INTO recordings/ })
      const { statuses } = await together(gateway, 5)
      t.same([...statuses], [200])
      t.equal(before - (await gateway.balance()), 5n * charge)
      await gateway.recordings.flush()
      t.same(gateway.recordings.counts(), { written: 4, dropped: 1 })
    },
  )
}

t.test('[API-7] a table that hangs holds up no request, and no stop', { skip }, async (t) => {
  const gateway = await recording(t)
  const { upstream, recordings } = gateway
  const { knex } = gateway.gateway.service('database')
  upstream.script(reply)
  const before = await gateway.balance()
  const lock = await knex.transaction()
  await lock.raw('SET LOCAL idle_in_transaction_session_timeout = 0')
  await lock.raw('LOCK TABLE recordings IN ACCESS EXCLUSIVE MODE')
  const { statuses } = await together(gateway, 50)
  t.same([...statuses], [200])
  t.equal(before - (await gateway.balance()), 50n * charge)
  t.same(recordings.counts(), { written: 0, dropped: 0 }, 'they wait behind the requests')
  await (recordings as typeof recordings & { stop(): Promise<void> }).stop()
  const { written, dropped } = recordings.counts()
  t.same({ written, dropped }, { written: 0, dropped: 50 }, 'the first shows that none goes')
  await lock.rollback()
})
