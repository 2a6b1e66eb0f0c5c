/** Each thing a billing endpoint looks up, failing in turn: what the client reads, and what the log keeps. */
import t from 'tap'
import type { EndpointRoute, Inbound } from '../../../kernel/contract/endpoint.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createBilling from '../../../plugins/endpoints/billing/index.js'
import createChat from '../../../plugins/formats/chat/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog, requestId } from '../../kit/fakes.js'
import { settingsOf } from '../management/management-fixture.js'

type BillingKit = Parameters<typeof createBilling>[0]

const key = {
  name: 'key',
  used: 5n,
  held: 0n,
  expiresAt: 0,
  modelLimitsEnabled: false,
  modelLimits: [],
}

const working = {
  identity: { byKey: () => ({ user: { id: 1 }, token: { id: 2 } }) },
  ledger: { wallets: async () => new Map([[1, { posted: 10n, held: 0n, used: 5n }]]) },
  options: { list: () => [] },
  formats: { get: () => createChat() },
  'usage-log': { ofKey: async () => key, ofToken: async () => [] },
}

/** What the route answers, and what stands in the log afterwards. */
async function ask(route: string, broken: object) {
  const lines: object[] = []
  const { routes } = createBilling({
    settings: settingsOf({ tokenFigures: true }),
    clock: new FakeClock(),
    log: { ...quietLog, error: (fields) => void lines.push(fields) },
    services: { ...working, ...broken } as unknown as BillingKit['services'],
  })
  const inbound: Inbound = {
    requestId,
    method: 'GET',
    path: `/${route}`,
    params: {},
    client: { headers: { authorization: 'Bearer sk-x' }, query: {}, address: '203.0.113.9' },
    payload: Buffer.alloc(0),
  }
  const { answer } = routes[route] as Extract<EndpointRoute, { readonly kind: 'answer' }>
  return { ...(await answer(inbound)), lines }
}

const fail = (error: Error) => ({
  now: () => {
    throw error
  },
  later: async () => {
    throw error
  },
})
const broken = fail(new Error('relation "tokens" of host 10.1.2.3 is broken'))
const unreachable = fail(Object.assign(new Error('10.1.2.3'), { code: 'ECONNREFUSED' }))
const refusing = fail(new Refusal('invalid_field', { reason: 'too slow on 10.1.2.3' }))
const closed = fail(new Refusal('database_unavailable'))

const failures = [
  ['the key, database down', 503, 'subscription', { identity: { byKey: closed.now } }],
  ['the key, broken', 500, 'usage', { identity: { byKey: broken.later } }],
  ['the row of the key', 500, 'subscription', { 'usage-log': { ofKey: broken.later } }],
  [
    'the row of the key, database down',
    503,
    'usage-v1',
    { 'usage-log': { ofKey: unreachable.later } },
  ],
  ['the row of the key, gone', 500, 'usage', { 'usage-log': { ofKey: async () => undefined } }],
  ['the wallet', 500, 'subscription-v1', { ledger: { wallets: broken.later } }],
  ['the wallet, missing', 500, 'usage', { ledger: { wallets: async () => new Map() } }],
  ['the unit', 500, 'subscription', { options: { list: broken.now } }],
  ['the use of the key', 503, 'token-usage', { 'usage-log': { ofKey: unreachable.later } }],
  ['the log of the key', 500, 'token-log', { 'usage-log': { ofToken: broken.later } }],
  ['the log of the key, refused', 500, 'token-log', { 'usage-log': { ofToken: refusing.later } }],
] as const

for (const [what, status, route, parts] of failures) {
  t.test(
    `[BILL-11] a lookup that fails returns one sentence, the log the rest: ${what}`,
    async (t) => {
      const answer = await ask(route, parts)
      t.equal(answer.status, status)
      const sentence = { message: 'billing information unavailable', code: 'billing_unavailable' }
      const isApi = route.startsWith('token')
      t.strictSame(
        answer.body,
        isApi
          ? { success: false, ...sentence, data: null }
          : { error: { type: 'api_error', param: '', ...sentence } },
      )
      t.match(answer.lines, [{ err: { message: String }, requestId, path: `/${route}` }])
    },
  )
}

t.test('what is wrong with the key itself is stated', async (t) => {
  const expired = fail(new Refusal('token_expired'))
  const answer = await ask('usage', { identity: { byKey: expired.now } })
  t.match(answer, { status: 401, body: { error: { code: 'token_expired' } }, lines: [] })
})

t.test('what works is answered', async (t) => {
  const answer = await ask('usage', {})
  t.match(answer, { status: 200, body: { object: 'list', total_usage: 0.001 }, lines: [] })
})
