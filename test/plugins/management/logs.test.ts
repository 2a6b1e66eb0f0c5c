/** Routes of the usage log: what becomes of the family's query, and whose rows are requested. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Services } from '../../../kernel/contract/service.js'
import createLogs from '../../../plugins/management/logs/index.js'
import type { UsageLog } from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { data, settingsOf } from './management-fixture.js'

const manifest = new URL('../../../plugins/management/logs/manifest.json', import.meta.url)

const ada = { userId: 7, username: 'ada', role: 1, group: 'default', via: 'session' } as const

/** A log that answers the same to everything and remembers what it was queried. */
function logs() {
  const requests: unknown[] = []
  const remember =
    <T>(answer: T) =>
    async (query: unknown) => {
      requests.push(query)
      return answer
    }
  const log: Partial<UsageLog> = {
    page: remember({ items: [], total: 3, next: '5.req' }),
    search: remember([]),
    totals: remember({ quota: 5n, requestsPerMinute: 6, tokensPerMinute: 7 }),
    trim: remember(8),
  }
  const clock = new FakeClock()
  const area = createLogs({
    settings: settingsOf({}),
    clock,
    log: quietLog,
    services: { 'usage-log': log as UsageLog } as unknown as Pick<
      Services,
      'usage-log' | 'recordings' | 'channels' | 'database'
    >,
  })
  return { area, requests, clock }
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
  errorCode: undefined,
}

t.test("the family's query is understood, empty fields ask for nothing", async (t) => {
  const { area, requests } = logs()
  const answer = await data(area, 'list', {
    query: { p: '0', type: '0', username: '', channel: '' },
  })
  t.same(answer, { page: 1, page_size: 10, total: 3, items: [], next: '5.req' })
  t.strictSame(requests.pop(), { ...nothing, page: 1, pageSize: 10, before: undefined })
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
  t.strictSame(requests.pop(), {
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
    errorCode: undefined,
    page: 3,
    pageSize: 100,
    before: undefined,
  })
  await t.rejects(data(area, 'list', { query: { type: 'x' } }), {
    code: 'invalid_field',
    param: 'type',
  })
})

t.test('users see their own rows, whomever they ask for (X12)', async (t) => {
  const { area, requests } = logs()
  const query = { username: 'root', channel: '4', size: '20', user_id: '1' }
  await data(area, 'own', { principal: ada, query })
  t.strictSame(requests.pop(), { ...nothing, userId: 7, page: 1, pageSize: 20, before: undefined })
  await t.rejects(data(area, 'own', { query }), { code: 'unauthorized' })
  t.same(requests, [])
})

t.test('a keyword finds rows, an empty one the newest hundred', async (t) => {
  const { area, requests } = logs()
  t.same(await data(area, 'search', { query: { keyword: '100%_' } }), [])
  t.strictSame(requests.pop(), { keyword: '100%_', userId: undefined })
  t.same(await data(area, 'search', { query: { keyword: '' } }), [])
  t.strictSame(requests.pop(), { userId: undefined, page: 1, pageSize: 100 })
  t.same(await data(area, 'searchOwn', { principal: ada, query: { keyword: 'x', user_id: 1 } }), [])
  t.strictSame(requests.pop(), { keyword: 'x', userId: 7 })
  await t.rejects(data(area, 'searchOwn', { query: { keyword: 'x' } }), { code: 'unauthorized' })
  const faulty = [
    ['too long', 'x'.repeat(257)],
    ['a control character', 'a\u0000b'],
  ] as const
  for (const [title, keyword] of faulty) {
    const refused = { code: 'invalid_field', param: 'keyword' }
    await t.rejects(data(area, 'search', { query: { keyword } }), refused, title)
  }
  t.same(requests, [])
})

t.test('sums are of the filter, and of the caller where it is theirs (X12)', async (t) => {
  const { area, requests } = logs()
  const totals = { quota: 5n, rpm: 6, tpm: 7 }
  const query = { username: 'bob', channel: '4', model_name: 'm', start_timestamp: '10' }
  t.same(await data(area, 'totals', { query }), totals)
  t.strictSame(requests.pop(), { ...nothing, username: 'bob', channelId: 4, model: 'm', from: 10 })
  t.same(await data(area, 'totalsOwn', { principal: ada, query: { model_name: 'm' } }), totals)
  t.strictSame(requests.pop(), { ...nothing, userId: 7, model: 'm' })
  await t.rejects(data(area, 'totalsOwn', {}), { code: 'unauthorized' })
})

t.test('rows are deleted up to a moment of the past, by root alone', async (t) => {
  const { area, requests, clock } = logs()
  const now = Math.floor(clock.now() / 1000)
  t.equal(await data(area, 'trim', { query: { target_timestamp: String(now) } }), 8)
  t.same(requests.splice(0), [now])
  for (const target_timestamp of ['', '0', '-1', 'x', '1.5', undefined, now + 1]) {
    const refused = { code: 'invalid_field', param: 'target_timestamp' }
    await t.rejects(
      data(area, 'trim', { query: { target_timestamp } }),
      refused,
      `${target_timestamp}`,
    )
  }
  t.same(requests, [])
  const { routes } = JSON.parse(await readFile(manifest, 'utf8'))
  const trim = routes.find((route: { readonly name: string }) => route.name === 'trim')
  t.match(trim, { method: 'DELETE', credential: 'root', limiter: 'critical' })
})
