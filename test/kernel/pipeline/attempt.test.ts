import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Attempt, Picked } from '../../../kernel/contract/line/record.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import { attemptLoop } from '../../../kernel/pipeline/attempt.js'
import { PluginFault } from '../../../kernel/toolkit/errors/plugin-fault.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { order } from '../../../plugins/stages/line.js'
import { FakeSink, quietLog } from '../../kit/fakes.js'
import { channel, FakeClaim, opened, planned } from '../../kit/line-fakes.js'

const failure = (over: Partial<Failure> = {}): Failure => ({
  blame: 'upstream',
  status: 500,
  code: 'upstream_error',
  message: 'failed',
  ...over,
})

/** A line whose upstream stage does what the test states, over as many channels as it likes. */
function setup(upstream: (state: Picked) => unknown, channels = 100) {
  const seen: Attempt[] = []
  const claims: FakeClaim[] = []
  const nothing = { run: () => ({}) }

  function pick(state: Attempt) {
    seen.push({ ...state, tried: [...state.tried] })
    const id = state.tried.length + 1
    if (id > channels) {
      return { failure: failure({ status: 503, code: 'model_not_found' }), retry: false }
    }
    const claim = new FakeClaim()
    claims.push(claim)
    return { channel: channel(id), keyId: id, group: 'default', position: 0, claim }
  }

  const stages = {
    'channel-pick': { run: pick },
    mapping: nothing,
    override: nothing,
    'pre-consume': nothing,
    upstream: { run: upstream },
  } as unknown as Stages
  return {
    seen,
    claims,
    attempts: attemptLoop(order, stages, { log: quietLog, clock: { now: () => 0 } }),
  }
}

const retryable: Failed = { failure: failure(), retry: true }

t.test(
  '[ROUTE-3] the picking stage is reported every channel and key that failed this request, in order',
  async (t) => {
    const { seen, attempts } = setup(({ number }) => (number < 3 ? retryable : opened()))
    const end = await attempts(planned())
    t.equal(end.kind, 'opened')
    const first = { channelId: 1, keyId: 1, group: 'default', position: 0, failure: failure() }
    const second = { ...first, channelId: 2, keyId: 2 }
    t.same(
      seen.map(({ tried }) => tried),
      [[], [first], [first, second]],
    )
    t.same(end.attempts, [first, second])
  },
)

t.test('a failure the client is to blame for is not retried (S18)', async (t) => {
  const { seen, attempts } = setup(() => ({
    failure: failure({ blame: 'client', status: 400 }),
    retry: false,
  }))
  const end = await attempts(planned())
  t.equal(seen.length, 1)
  t.match(end, { kind: 'failed', failure: { status: 400 } })
})

t.test(
  'when no channel is left the last upstream failure is reported, not the lack of channels',
  async (t) => {
    const { attempts } = setup(() => retryable, 2)
    const end = await attempts(planned())
    t.match(end, { kind: 'failed', failure: { code: 'upstream_error' } })
    t.equal(end.attempts.length, 2)
  },
)

t.test('without any channel the request fails with the word for that', async (t) => {
  const end = await setup(() => retryable, 0).attempts(planned())
  t.match(end, { kind: 'failed', failure: { code: 'model_not_found' }, attempts: [] })
})

t.test('a request has so many tries in all, however many channels there are (S18)', async (t) => {
  const { seen, attempts } = setup(() => retryable)
  t.match(await attempts(planned()), { kind: 'failed', failure: { code: 'upstream_error' } })
  t.equal(seen.length, limits.attemptsMax)
})

t.test('every claim hears once how its round ended, the last without a failure', async (t) => {
  const failed = failure({ status: 503 })
  const { claims, attempts } = setup(({ number }) =>
    number === 1 ? { failure: failed, retry: true } : { reply: opened().reply },
  )
  await attempts(planned())
  t.same(
    claims.map(({ ends }) => ends),
    [[failed], [undefined]],
  )
})

t.test('a claim hears of a refusal and of a bug too', async (t) => {
  const thrown = [
    [new Refusal('insufficient_user_quota'), 'insufficient_user_quota'],
    [new TypeError('secret detail'), 'internal_error'],
  ] as const
  for (const [error, code] of thrown) {
    const { claims, attempts } = setup(() => {
      throw error
    })
    await attempts(planned())
    t.match(claims, [{ ends: [{ code }] }], code)
    t.equal(claims[0]?.ends.length, 1)
  }
})

t.test('a client that left is not retried for', async (t) => {
  const sink = new FakeSink()
  const { seen, attempts } = setup(() => {
    sink.gone = true
    return retryable
  })
  await attempts(planned({ sink }))
  t.equal(seen.length, 1)
})

t.test('requests beyond the retry budget end with their first failure (S18)', async (t) => {
  const gates: (() => void)[] = []
  const { seen, attempts } = setup(async ({ number }) => {
    if (number === 1) return retryable
    await new Promise<void>((open) => gates.push(open))
    return opened()
  })
  const all = Array.from({ length: limits.retriesAtOnceMin + 3 }, () => attempts(planned()))
  await new Promise((turn) => setImmediate(turn))
  t.equal(gates.length, limits.retriesAtOnceMin)
  for (const open of gates.splice(0)) open()
  const ends = await Promise.all(all)
  t.equal(ends.filter(({ kind }) => kind === 'failed').length, 3)

  seen.length = 0
  const later = attempts(planned())
  await new Promise((turn) => setImmediate(turn))
  t.equal(gates.length, 1, 'what was given back is there for the next')
  gates[0]?.()
  t.equal((await later).kind, 'opened')
})

t.test('a refusal thrown by a stage is a value, and a bug is reported as internal', async (t) => {
  const refusal = setup(() => {
    throw new Refusal('database_unavailable')
  })
  t.match(await refusal.attempts(planned()), {
    kind: 'failed',
    failure: { code: 'database_unavailable' },
  })
  const bug = setup(() => {
    throw new TypeError('secret detail')
  })
  const end = await bug.attempts(planned())
  t.match(end, { kind: 'failed', failure: { code: 'internal_error' } })
  t.notMatch(JSON.stringify((end as { failure?: unknown }).failure), 'secret detail')
})

t.test('a retry starts from the planned record with what the loop has learned', async (t) => {
  const { seen, attempts } = setup((state) => (state.number === 1 ? retryable : opened()))
  await attempts(planned())
  t.equal(seen[1]?.number, 2)
  t.equal(seen[1]?.tried[0]?.failure.code, 'upstream_error')
  t.equal((seen[1] as Picked).channel, undefined, 'nothing of the failed round is left')
})

t.test(
  'another channel is tried where a provider or a task type is at fault, and where a guard is none',
  async (t) => {
    for (const [plugin, tries] of [
      ['provider.acme', 2],
      ['task.acme', 2],
      ['guard.acme', 1],
      ['format.acme', 1],
    ] as const) {
      const { seen, attempts } = setup(({ number }) => {
        if (number === 1) throw new PluginFault(plugin, 'shape', new Error('boom'))
        return opened()
      })
      const end = await attempts(planned())
      t.equal(end.kind, tries === 2 ? 'opened' : 'failed', plugin)
      t.equal(seen.length, tries, plugin)
    }
  },
)
