/** The stage that makes the plan of a request, beside services that remember what they were queried. */
import t from 'tap'
import type { Call } from '../../../kernel/contract/call.js'
import type { Format } from '../../../kernel/contract/format.js'
import type { Admitted, Planned } from '../../../kernel/contract/line/record.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import type { Services } from '../../../kernel/contract/service.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createPlan from '../../../plugins/stages/route-plan/index.js'
import { FakeHold } from '../../kit/fakes.js'
import { planned } from '../../kit/line-fakes.js'

type Needs =
  | 'routing'
  | 'affinity'
  | 'throttle'
  | 'key-limits'
  | 'pricing'
  | 'ledger'
  | 'subscriptions'
  | 'answers'
  | 'tasks'

const requested = { model: 'test-model', stream: true, wantsUsage: false }
const route = { groups: ['vip', 'default'], crossGroup: true }
const hold = new FakeHold(0n)
const { prices } = planned()
const token = { id: 7, name: 'script', group: '', crossGroupRetry: false }

interface Parts {
  readonly admit?: () => Promise<void> | undefined
  readonly plan?: () => typeof route
}

/** The stage, and the names of what was queried with what it was given, in order. */
function stage({ admit = () => undefined, plan = () => route }: Parts = {}) {
  const requests: [string, ...unknown[]][] = []
  const noted =
    <Result>(name: string, result: () => Result) =>
    (...given: unknown[]) => {
      requests.push([name, ...given])
      return result()
    }
  const services = {
    throttle: { admit: noted('throttle', admit) },
    'key-limits': { admit: async () => undefined },
    routing: { plan: noted('routing', plan) },
    affinity: { match: noted('affinity', () => undefined) },
    pricing: { current: noted('pricing', () => prices) },
    ledger: { hold: noted('ledger', () => hold) },
    subscriptions: { sources: noted('subscriptions', () => undefined) },
    answers: { gather: () => undefined, recall: noted('answers', () => ({ type: 'message' })) },
  } as unknown as Pick<Services, Needs>
  const { run } = createPlan({ services } as Kit<Needs>)
  const given = (name: string) =>
    requests.filter(([one]) => one === name).map(([, ...rest]) => rest)
  return {
    run: (state: Admitted) => run(state) as Planned | Promise<Planned>,
    names: () => requests.map(([name]) => name),
    given,
  }
}

const call = { messages: [] } as unknown as Call

/** A format that takes everything as it is. */
function format(over: Partial<Format> = {}): Format {
  return { name: 'chat', check: () => requested, decodeRequest: () => call, ...over } as Format
}

function admitted(over: Partial<Admitted> = {}): Admitted {
  const { model, stream, wantsUsage, route, prices, hold, ...rest } = planned()
  return { ...rest, format: format(), token, ...over }
}

t.test(
  '[ROUTE-1] a plan holds what was requested, the groups in order, prices and the hold',
  (t) => {
    t.match(stage().run(admitted()), { ...requested, route, prices, hold })
    t.end()
  },
)

t.test('[BILL-1] the plan sets nothing aside', (t) => {
  stage().run(admitted())
  t.same([hold.requests, hold.closes], [[], 0])
  t.end()
})

t.test('[BILL-2] the hold is of this request, this owner and this key', (t) => {
  const { run, given } = stage()
  const state = admitted({ user: { ...planned().user, id: 5, walletId: 50 } })
  run(state)
  t.same(given('ledger'), [
    [{ requestId: state.requestId, kind: 'sync', userId: 5, tokenId: 7, accountId: 50 }],
  ])
  t.end()
})

t.test('[BILL-1] the kind of a hold follows the operation, and who calls', (t) => {
  const kinds = [
    [{}, 'sync'],
    [{ token: undefined }, 'playground'],
    [{ operation: 'realtime' }, 'realtime'],
    [{ operation: 'search' }, 'search'],
    [{ operation: 'embeddings' }, 'sync'],
  ] as const
  for (const [over, kind] of kinds) {
    const { run, given } = stage()
    run(admitted(over as Partial<Admitted>))
    t.match(given('ledger'), [[{ kind }]], kind)
  }
  t.end()
})

t.test(
  '[LIMIT-6] who is over the limit of relays is refused before anything is read',
  async (t) => {
    const refusal = new Refusal('rate_limit_exceeded', { seconds: 3 })
    const { run, names, given } = stage({ admit: () => Promise.reject(refusal) })
    await t.rejects(async () => run(admitted()), refusal)
    t.same(names(), ['throttle'])
    t.same(given('throttle'), [[{ userId: 1, userGroup: 'default', tokenId: 7 }]])
  },
)

t.test('[LIMIT-6] a limit that has to be requested is waited for', async (t) => {
  const { run } = stage({ admit: async () => {} })
  t.match(await run(admitted()), { ...requested, route })
})

t.test('[ROUTE-18] a key is refused a model it may not use, before a route or a hold', (t) => {
  const { run, names } = stage()
  const models = new Set(['another-model'])
  const refused = { code: 'model_not_allowed', param: 'model' }
  t.throws(() => run(admitted({ token: { ...token, models } })), refused)
  t.same(names(), ['throttle'])
  const allowed = stage()
  t.match(
    allowed.run(admitted({ token: { ...token, models: new Set(['test-model']) } })),
    requested,
  )
  t.end()
})

t.test('[ROUTE-18] without a group that can be used there is no hold', (t) => {
  const { run, names } = stage({
    plan: () => {
      throw new Refusal('group_not_usable')
    },
  })
  t.throws(() => run(admitted()), { code: 'group_not_usable' })
  t.notOk(names().includes('ledger'))
  t.end()
})

t.test(
  '[FMT-15] the group a client names, and the channel its key names, go into the plan',
  (t) => {
    const { run, given } = stage()
    run(admitted({ requestedGroup: 'vip', pinned: 3 }))
    t.match(given('routing'), [
      [
        { user: { id: 1 }, token },
        { requested: 'vip', pinned: 3 },
      ],
    ])
    t.end()
  },
)

t.test('[FMT-4] a body its format refuses reaches no service', (t) => {
  const { run, names } = stage()
  const check: Format['check'] = (json) => {
    t.same(json, { model: 'test-model' }, 'it is checked as it came')
    throw new Refusal('invalid_request', { reason: 'no model' })
  }
  t.throws(() => run(admitted({ format: format({ check }) })), { code: 'invalid_request' })
  t.same(names(), ['throttle'])
  t.end()
})

t.test('[SVC-3] an operation checks its body itself', (t) => {
  const work = { check: () => ({ ...requested, model: 'sound-model' }) } as Partial<Operation>
  const check = () => {
    throw new Error('not to be called')
  }
  const state = admitted({ work: work as Operation, format: format({ check }) })
  t.match(stage().run(state), { model: 'sound-model' })
  t.end()
})

t.test('[FMT-9] the canonical call is made on its first use, and once', async (t) => {
  let decoded = 0
  const decodeRequest: Format['decodeRequest'] = (_body, _hints, recall) => {
    decoded += 1
    t.same(recall?.('item_1'), { type: 'message' })
    return call
  }
  const { run, given } = stage()
  const state = await run(admitted({ format: format({ decodeRequest }) }))
  t.equal(decoded, 0)
  t.equal(state.call(), call)
  t.equal(state.call(), call)
  t.equal(decoded, 1)
  t.same(given('answers'), [[1, 'item_1']], 'of this user only')
})

t.test('[ROUTE-16] affinity sees the request as it came, and a body only where it is JSON', (t) => {
  const json = stage()
  json.run(admitted({ client: { headers: { 'x-agent': 'one' }, query: {}, address: '' } }))
  t.match(json.given('affinity'), [
    [
      {
        headers: { 'x-agent': 'one' },
        userId: 1,
        userGroup: 'default',
        model: 'test-model',
        path: '/v1/chat/completions',
        body: { model: 'test-model' },
      },
    ],
  ])
  const none = stage()
  none.run(admitted({ body: { kind: 'none' } }))
  t.match(none.given('affinity'), [[{ body: undefined }]])
  t.end()
})
