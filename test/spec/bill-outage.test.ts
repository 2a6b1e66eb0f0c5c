/** A database that is cut off in the middle of answers: an outage is never reported as an empty wallet (decision 0035). */
import t, { type Test } from 'tap'
import { type OpenDatabase, openDatabase } from '../../kernel/store/database.js'
import { cuttableProxy } from '../kit/cuttable-proxy.js'
import { freshDatabaseUrl, silentLog } from '../kit/database.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

/** On PostgreSQL its connections are cut, on the embedded database its billing statements fail as if they were. */
async function cuttableDatabase(t: Test) {
  const address = await freshDatabaseUrl(t)
  if (address === undefined) return failingStatements()
  const proxy = await cuttableProxy(t, address)
  const opened = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log: silentLog })
  t.teardown(() => opened.close())
  return { ...proxy, wrap: () => opened }
}

function failingStatements() {
  let left = 0
  let isCut = false
  let refused: () => void = () => {}
  return {
    cut(refusals: number) {
      isCut = true
      left = refusals
      return new Promise<void>((resolve) => {
        refused = resolve
      })
    },
    mend() {
      isCut = false
    },
    wrap: (database: OpenDatabase): OpenDatabase => ({
      ...database,
      async billing(statement) {
        if (!isCut) return database.billing(statement)
        left -= 1
        if (left <= 0) refused()
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      },
    }),
  }
}

const words = 'one two three four five six seven eight nine ten '

t.test('twelve streams outlive an outage in which all of them need more hold (M27)', async (t) => {
  const database = await cuttableDatabase(t)
  const gateway = await scriptedGateway(t, { wrap: database.wrap, funds: 100_000_000 })
  await gateway.admin.option('HoldOutputTokens', '8')
  let release: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const more = Array.from({ length: 300 }, () => chat.delta(words))
  gateway.upstream.script(
    events(chat.delta('one '), gate, ...more, chat.stop(), chat.usage(10, 3000), chat.done),
  )
  const before = await gateway.balance()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => gateway.chat(ask({ stream: true }))),
  )
  const gone = database.cut(5)
  release()
  await gone
  database.mend()
  for (const answer of answers) {
    const text = await answer.text()
    t.match(text, /\[DONE\]/)
    t.notMatch(text, /out_of_funds|token_disabled|database_unavailable/)
  }
  t.equal(before - (await gateway.balance()), 12n * (10n + 4n * 3000n))
})

t.test('a whole answer beyond its hold waits for the database too (M27)', async (t) => {
  const database = await cuttableDatabase(t)
  const gateway = await scriptedGateway(t, { wrap: database.wrap })
  let release: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  gateway.upstream.script(async (request, response) => {
    await gate
    await json(200, chat.whole('Long.', 10, 10_000))(request, response)
  })
  const before = await gateway.balance()
  const asking = gateway.chat(ask())
  await gateway.upstream.request(0)
  const gone = database.cut(3)
  release()
  await gone
  database.mend()
  const answer = await asking
  t.equal(answer.status, 200)
  await answer.text()
  t.equal(before - (await gateway.balance()), 40_010n)
})
