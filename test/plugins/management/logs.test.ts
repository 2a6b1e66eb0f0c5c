/** Routes of the usage log: what becomes of the family's query, and whose rows are asked for. */
import t from 'tap'
import createLogs from '../../../plugins/management/logs/index.js'
import type { LogQuery } from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { data, settingsOf } from './desk.js'

const ada = { userId: 7, username: 'ada', role: 1, group: 'default', via: 'session' } as const

function logs() {
  const asked: LogQuery[] = []
  const services = {
    'usage-log': {
      async page(query: LogQuery) {
        asked.push(query)
        return { items: [], total: 3 }
      },
    },
  }
  const area = createLogs({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log: quietLog,
    services,
  })
  return { area, asked }
}

const nothing = {
  userId: undefined,
  type: undefined,
  from: undefined,
  to: undefined,
  username: undefined,
  tokenName: undefined,
  model: undefined,
  channelId: undefined,
  group: undefined,
  requestId: undefined,
}

t.test("the family's query is understood, empty fields ask for nothing", async (t) => {
  const { area, asked } = logs()
  const answer = await data(area, 'list', {
    query: { p: '0', type: '0', username: '', channel: '' },
  })
  t.same(answer, { page: 1, page_size: 10, total: 3, items: [] })
  t.strictSame(asked.pop(), { ...nothing, page: 1, pageSize: 10 })
  await data(area, 'list', {
    query: {
      p: '3',
      page_size: '500',
      type: '2',
      start_timestamp: '10',
      end_timestamp: '20',
      username: 'ada',
      token_name: 'laptop',
      model_name: 'gpt%',
      channel: '4',
      group: 'vip',
      request_id: 'req_1',
      unknown: 'x',
    },
  })
  t.strictSame(asked.pop(), {
    userId: undefined,
    type: 2,
    from: 10,
    to: 20,
    username: 'ada',
    tokenName: 'laptop',
    model: 'gpt%',
    channelId: 4,
    group: 'vip',
    requestId: 'req_1',
    page: 3,
    pageSize: 100,
  })
  await t.rejects(data(area, 'list', { query: { type: 'x' } }), {
    code: 'invalid_field',
    param: 'type',
  })
})

t.test('users see their own rows, whomever they ask for (X12)', async (t) => {
  const { area, asked } = logs()
  const query = { username: 'root', channel: '4', size: '20', user_id: '1' }
  await data(area, 'own', { principal: ada, query })
  t.strictSame(asked.pop(), { ...nothing, userId: 7, page: 1, pageSize: 20 })
  await t.rejects(data(area, 'own', { query }), { code: 'unauthorized' })
  t.same(asked, [])
})
