/** The stage that takes the next channel, beside a routing that states what the test wants. */
import t from 'tap'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Attempt } from '../../../kernel/contract/line/record.js'
import type { Services } from '../../../kernel/contract/service.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type {
  HeldBack,
  Picking,
  PickQuery,
  Routing,
} from '../../../plugins/services/routing/index.js'
import createPick from '../../../plugins/stages/channel-pick/index.js'
import { brokenUpstream, channel, FakeClaim, opened, planned } from '../../kit/line-fakes.js'

type Choice = Pick<Routing, 'pick' | 'heldBack'>

const picking: Picking = {
  channel: channel(4),
  key: 'upstream-key',
  keyId: 4,
  group: 'default',
  position: 0,
  adapter: opened().adapter,
  claim: new FakeClaim(),
}

function stage(routing: Choice) {
  const services = { routing } as unknown as Pick<Services, 'routing'>
  return createPick({ services } as Kit<'routing'>)
}

const first: Attempt = { ...planned(), number: 1, tried: [] }
const trace = { channelId: 1, keyId: 1, group: 'default', position: 0, failure: brokenUpstream }
const second: Attempt = { ...first, number: 2, tried: [trace] }

/** Nobody can be picked; `held` states why. */
function without(held: HeldBack | undefined) {
  let requestCount = 0
  const run = stage({
    pick: () => undefined,
    heldBack: () => {
      requestCount += 1
      return held
    },
  }).run
  return { run: (state: Attempt) => run(state) as Failed, sendRequest: () => requestCount }
}

t.test('[ROUTE-2] the channel that routing picks takes the try', (t) => {
  const neverCalled = () => {
    throw new Error('not to be called')
  }
  t.equal(stage({ pick: () => picking, heldBack: neverCalled }).run(first), picking)
  t.end()
})

t.test('[ROUTE-3] routing is given everything that failed before', (t) => {
  const queries: PickQuery[] = []
  const pick = (query: PickQuery) => {
    queries.push(query)
    return picking
  }
  stage({ pick, heldBack: () => undefined }).run(second)
  t.match(queries, [{ model: 'test-model', tried: [trace] }])
  t.end()
})

t.test('[ROUTE-2] a model that no channel serves is not found, and no other try is made', (t) => {
  const { failure, retry } = without(undefined).run(first)
  t.match(failure, { code: 'model_not_found', status: 503, param: 'model' })
  t.match(failure.message, 'test-model')
  t.equal(failure.retryAfterMs, undefined)
  t.equal(retry, false)
  t.end()
})

t.test('[LIMIT-8] channels that all wait are a 429 or 503 with the time to come again', (t) => {
  const parked = without({ ms: 1200, parked: true }).run(first)
  t.match(parked, {
    failure: { code: 'channels_saturated', status: 429, retryAfterMs: 1200 },
    retry: false,
  })
  t.match(parked.failure.message, /\b2\b/, 'whole seconds, never too early')
  const failing = without({ ms: 9000, parked: false }).run(first)
  t.match(failing, {
    failure: { code: 'channels_failing', status: 503, retryAfterMs: 9000 },
    retry: false,
  })
  t.end()
})

t.test('[ROUTE-3] after a failure it is that failure that counts, not who waits', (t) => {
  const { run, sendRequest } = without({ ms: 1200, parked: true })
  t.match(run(second), { failure: { code: 'model_not_found' }, retry: false })
  t.equal(sendRequest(), 0)
  t.end()
})
