/**
 * What a relayed request waits for: its money is set aside, and charged. Whoever else is interested in it, such as
 * limits, metrics, notices or the log of last uses, is served from memory or afterwards.
 */
import t from 'tap'
import type { OpenDatabase } from '../../../kernel/store/database.js'
import { FakeClock } from '../../kit/clock.js'
import { scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json } from '../../kit/upstream.js'

const requests: string[] = []

/** Tells of every statement, whichever way it takes. */
function listening(database: OpenDatabase): OpenDatabase {
  database.knex.on('query', ({ sql }: { readonly sql: string }) => requests.push(sql))
  return {
    ...database,
    query(statement) {
      requests.push(statement.name)
      return database.query(statement)
    },
    billing(statement) {
      requests.push(statement.name)
      return database.billing(statement)
    },
  }
}

const gateway = await scriptedGateway(t, {
  wrap: listening,
  clock: new FakeClock(Date.now()),
  environment: { metrics: { host: '127.0.0.1', port: 0 } },
})
const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }

for (const stream of [false, true]) {
  t.test(`a relayed request asks the database twice (stream: ${stream})`, async (t) => {
    gateway.upstream.script(
      stream
        ? events(chat.delta('Hi.'), chat.stop(), chat.usage(10, 10), chat.done)
        : json(200, chat.whole('Hi.', 10, 10)),
    )
    const ask = async () => (await gateway.chat({ ...body, stream })).text()
    await ask()
    await gateway.gateway.idle()
    requests.length = 0
    t.match(await ask(), 'Hi.')
    await gateway.gateway.idle()
    t.same(requests, ['billing-apply', 'billing-apply'])
  })
}
