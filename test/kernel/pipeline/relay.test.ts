/** The relay by itself: stages, delivery and settling are stand-ins, so each case shows what only the relay decides. */
import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Delivery, Settling } from '../../../kernel/contract/line/delivery.js'
import type { Opened, Planned, Received } from '../../../kernel/contract/line/record.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { FailedRequest } from '../../../kernel/contract/services/traffic.js'
import type { Deliver } from '../../../kernel/pipeline/deliver.js'
import { createRelay } from '../../../kernel/pipeline/relay.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { order } from '../../../plugins/stages/line.js'
import { FakeSink, quietLog, requestId } from '../../kit/fakes.js'
import {
  brokenUpstream,
  channel,
  FakeClaim,
  lineFormat,
  opened,
  planned,
} from '../../kit/line-fakes.js'

const complete: Delivery = {
  end: 'complete',
  usage: { input: 10, output: 7 },
  estimated: [],
  anomaly: false,
  delivered: true,
}

/** What a test puts in the place of one part; the rest does what a good request needs. */
interface Parts {
  readonly sink?: FakeSink
  readonly state?: Partial<Planned>
  readonly auth?: () => object
  readonly plan?: () => object
  readonly pick?: (number: number) => object
  readonly upstream?: () => object
  readonly deliver?: Deliver
  readonly settle?: (settling: Settling) => void | Promise<void>
  readonly settled?: (settling: Settling) => void
}

/** Runs one request and returns what each part around the relay has seen. */
async function relayed(parts: Parts = {}) {
  const sink = parts.sink ?? new FakeSink()
  const steps: string[] = []
  const settlings: Settling[] = []
  const failures: FailedRequest[] = []
  const logged: string[] = []
  const { user, ...plannedFields } = addedByPlan(parts.state)
  const nothing = { run: () => ({}) }
  const stages = {
    auth: { run: parts.auth ?? (() => ({ user })) },
    'route-plan': { run: parts.plan ?? (() => plannedFields) },
    'channel-pick': {
      run: ({ number }: { number: number }) => (parts.pick ?? picked)(number),
    },
    mapping: nothing,
    override: nothing,
    'pre-consume': nothing,
    upstream: { run: parts.upstream ?? (() => openedFields(parts.state)) },
    settle: {
      run(settling: Settling) {
        steps.push('settle')
        settlings.push(settling)
        return parts.settle?.(settling)
      },
    },
  } as unknown as Stages
  const relay = createRelay({
    clock: { now: () => 0 },
    order,
    stages,
    deliver: (state, commit) => {
      steps.push('deliver')
      return parts.deliver?.(state, commit) ?? Promise.resolve(complete)
    },
    log: { ...quietLog, error: (_fields, message) => void logged.push(String(message)) },
    traffic: {
      settled: (settling) => parts.settled?.(settling),
      failed: (request) => void failures.push(request),
    },
  })
  await relay(received(sink))
  return { sink, steps, settlings, failures, logged }
}

function received(sink: FakeSink): Received {
  const { operation, format, path, body, client, credential, receivedAt } = planned()
  return { requestId, receivedAt, operation, format, path, body, client, credential, sink }
}

function addedByPlan(over: Partial<Planned> = {}) {
  const { user, model, stream, wantsUsage, call, route, prices, hold } = planned(over)
  return { user, model, stream, wantsUsage, call, route, prices, hold }
}

function picked(number: number) {
  return {
    channel: channel(number, { statusCodeMapping: { 500: 418 } }),
    key: 'upstream-key',
    keyId: number,
    group: 'default',
    position: 0,
    claim: new FakeClaim(),
  }
}

function openedFields({ settleFirst = false }: Partial<Opened> = {}) {
  const { reply, firstMs } = opened()
  return { reply, firstMs, settleFirst }
}

const fails = (failure: Failure, retry: boolean) => () => ({ failure, retry })
const error = (sink: FakeSink) => (JSON.parse(sink.text) as { error: { code: string } }).error

t.test('[BILL-1] a delivered request settles once, after its delivery', async (t) => {
  const { steps, settlings } = await relayed()
  t.same(steps, ['deliver', 'settle'])
  t.match(settlings, [{ kind: 'delivered', delivery: complete, attempts: [] }])
})

t.test(
  '[BILL-1] what delivery has committed before its last byte is not settled again',
  async (t) => {
    const { steps, settlings } = await relayed({
      upstream: () => openedFields({ settleFirst: true }),
      async deliver(_, commit) {
        await commit?.(complete)
        await commit?.({ ...complete, usage: { input: 10, output: 999 } })
        return { ...complete, end: 'clientGone' }
      },
    })
    t.same(steps, ['deliver', 'settle'])
    t.match(settlings, [{ kind: 'delivered', delivery: complete }])
  },
)

t.test('[BILL-1] only a request that settles first is given the means to', async (t) => {
  let given: unknown = 'not called'
  await relayed({
    deliver: async (_, commit) => {
      given = commit
      return complete
    },
  })
  t.equal(given, undefined)
})

t.test('[BILL-1] a delivery that throws leaves a request that is settled as failed', async (t) => {
  const { settlings, logged } = await relayed({
    deliver: () => Promise.reject(new TypeError('broken')),
  })
  t.match(settlings, [{ kind: 'abandoned', outcome: 'failed' }])
  t.equal(settlings.length, 1)
  t.same(logged, ['the line failed unexpectedly'])
})

t.test(
  '[BILL-1] a settlement that fails ends the request all the same, and is logged',
  async (t) => {
    const counted: Settling[] = []
    const { logged } = await relayed({
      settle: () => Promise.reject(new Error('no database')),
      settled: (settling) => void counted.push(settling),
    })
    t.same(logged, ['settlement failed: the hold is still open'])
    t.same(counted, [], 'what is not settled is not counted as settled')
  },
)

t.test('[BILL-1] an outcome is named by why nothing was delivered', async (t) => {
  const left = new FakeSink()
  left.gone = true
  const none = fails({ ...brokenUpstream, code: 'model_not_found', status: 503 }, false)
  const outcomes = {
    refused: { pick: none },
    failed: { upstream: fails(brokenUpstream, false) },
    clientGone: { upstream: fails(brokenUpstream, false), sink: left },
  }
  for (const [outcome, parts] of Object.entries(outcomes)) {
    const { settlings, steps } = await relayed(parts)
    t.match(settlings, [{ kind: 'abandoned', outcome }], outcome)
    t.same(steps, ['settle'], 'nothing was delivered, and the hold is let go')
  }
})

t.test(
  '[ROUTE-18] what is refused before it has a plan reaches no channel and no ledger',
  async (t) => {
    const refusing = () => {
      throw new Refusal('group_not_usable', { group: 'vip' })
    }
    const { steps, sink, failures } = await relayed({ plan: refusing })
    t.same(steps, [])
    t.equal(error(sink).code, 'group_not_usable')
    t.match(failures, [{ clientError: { code: 'group_not_usable' }, attempts: [] }])
    t.equal(failures[0]?.state.user.username, 'ada')
  },
)

t.test('[AUTH-1] who is not known is refused, and no failure of anybody is counted', async (t) => {
  const { steps, sink, failures, logged } = await relayed({
    auth: () => Promise.reject(new Refusal('invalid_api_key')),
  })
  t.same([sink.status, error(sink).code], [401, 'invalid_api_key'])
  t.same([steps, failures, logged], [[], [], []])
})

t.test('[ERR-2] a bug before the plan is an internal error without its details', async (t) => {
  const { sink, logged } = await relayed({
    plan: () => {
      throw new TypeError('secret detail')
    },
  })
  t.same([sink.status, error(sink).code], [500, 'internal_error'])
  t.notMatch(sink.text, 'secret detail')
  t.same(logged, ['a stage before the hold failed'])
})

t.test('[CHAN-2] the client receives the code the last channel maps to', async (t) => {
  const { sink, failures } = await relayed({ upstream: fails(brokenUpstream, false) })
  t.same([sink.status, error(sink).code], [418, 'upstream_error'])
  t.match(failures, [{ clientError: { status: 418 }, attempts: [{ channelId: 1 }] }])
})

t.test(
  '[ROUTE-3] a failure names every channel that was tried, in the access line too',
  async (t) => {
    const sink = new FakeSink()
    const notes: object[] = []
    sink.note = (fields?: object) => void notes.push(fields ?? {})
    const tried = (number: number) =>
      number < 3 ? picked(number) : { failure: brokenUpstream, retry: false }
    const { failures, settlings } = await relayed({
      sink,
      pick: tried,
      upstream: fails(brokenUpstream, true),
    })
    const ids = (attempts: Settling['attempts']) => attempts.map(({ channelId }) => channelId)
    t.same(
      failures.map(({ attempts }) => ids(attempts)),
      [[1, 2]],
    )
    t.same(
      settlings.map(({ attempts }) => ids(attempts)),
      [[1, 2]],
    )
    t.match(notes, [{ tried: ['1 default 500', '2 default 500'] }, { code: 'upstream_error' }])
  },
)

t.test('[BILL-1] an error that cannot be sent does not keep a request from settling', async (t) => {
  const sink = new FakeSink()
  sink.send = () => {
    throw new Error('the socket is closed')
  }
  const { settlings, logged } = await relayed({ sink, upstream: fails(brokenUpstream, false) })
  t.match(settlings, [{ kind: 'abandoned', outcome: 'failed' }])
  t.same(logged, ['telling the client of a failure failed'])
})

t.test('[ERR-1] a failure for a client that has left is no failure to report', async (t) => {
  const sink = new FakeSink()
  sink.gone = true
  const { failures } = await relayed({ sink, upstream: fails(brokenUpstream, false) })
  t.same(failures, [])
  const refused = await relayed({
    sink,
    plan: () => {
      throw new Refusal('group_not_usable', { group: 'vip' })
    },
  })
  t.same(refused.failures, [])
})

t.test(
  '[BILL-1] what broke off is reported as a failure only where nothing is charged',
  async (t) => {
    const broken = { ...complete, end: 'upstreamBroke', failure: brokenUpstream } as const
    const uncharged = await relayed({ deliver: async () => ({ ...broken, delivered: false }) })
    t.match(uncharged.failures, [{ attempts: [{ channelId: 1, failure: brokenUpstream }] }])
    const charged = await relayed({ deliver: async () => broken })
    t.same(charged.failures, [], 'the usage log has its charge')
  },
)

t.test('[BILL-1] a counter that fails harms no request', async (t) => {
  const { settlings, logged } = await relayed({
    settled: () => {
      throw new Error('counting failed')
    },
  })
  t.equal(settlings.length, 1)
  t.same(logged, ['counting a settled request failed'])
})

t.test('[ERR-1] an error has the form of the format of the client', async (t) => {
  const { sink } = await relayed({
    auth: () => {
      throw new Refusal('missing_credential')
    },
  })
  const { body } = lineFormat.encodeError(clientError(new Refusal('missing_credential')))
  t.same(JSON.parse(sink.text), body)
  t.equal(sink.headers['content-type'], 'application/json')
})
