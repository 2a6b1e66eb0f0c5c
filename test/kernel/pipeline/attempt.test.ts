import t from 'tap'
import type { Attempt, Failed, Picked, Stages } from '../../../kernel/contract/exchange.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import { Refusal } from '../../../kernel/errors.js'
import { limits } from '../../../kernel/limits.js'
import { attemptLoop } from '../../../kernel/pipeline/attempt.js'
import { order } from '../../../plugins/stages/line.js'
import { quietLog } from '../../kit/fakes.js'
import { channel, opened, planned } from '../../kit/line-fakes.js'

const failure = (over: Partial<Failure> = {}): Failure => ({
  blame: 'upstream',
  status: 500,
  code: 'upstream_error',
  message: 'failed',
  ...over,
})

/** A line whose upstream stage does what the test says, over as many channels as it likes. */
function scene(upstream: (state: Picked) => unknown, channels = 100) {
  const seen: Attempt[] = []
  const nothing = { run: () => ({}) }
  const stages = {
    'channel-pick': {
      run(state: Attempt) {
        seen.push({ ...state })
        for (let id = 1; id <= channels; id++) {
          if (!state.excluded.has(id)) {
            return {
              channel: channel(id),
              group: state.route.groups[state.position] ?? '',
              position: state.position,
            }
          }
        }
        return {
          failure: failure({ blame: 'channel', status: 503, code: 'model_not_found' }),
          retry: false,
        }
      },
    },
    mapping: nothing,
    override: nothing,
    'pre-consume': nothing,
    upstream: { run: upstream },
  } as unknown as Stages
  return { seen, attempts: attemptLoop(order, stages, quietLog) }
}

const retryable: Failed = { failure: failure(), retry: true }

t.test(
  '[ROUTE-3] a channel that failed is excluded from the retries of the same request',
  async (t) => {
    const tried: number[] = []
    const { attempts } = scene((state) => {
      tried.push(state.channel.id)
      return tried.length < 3 ? retryable : opened()
    })
    const end = await attempts(planned())
    t.equal(end.kind, 'opened')
    t.strictSame(tried, [1, 2, 3])
    t.strictSame(
      end.attempts.map(({ channelId }) => channelId),
      [1, 2],
    )
  },
)

t.test('a failure the client is to blame for is not retried (S18)', async (t) => {
  const { seen, attempts } = scene(() => ({
    failure: failure({ blame: 'client', status: 400 }),
    retry: false,
  }))
  const end = await attempts(planned())
  t.equal(seen.length, 1)
  t.match(end, { kind: 'failed', failure: { status: 400 } })
})

t.test(
  'when no channel is left the last upstream failure is told, not the lack of channels',
  async (t) => {
    const { attempts } = scene(() => retryable, 2)
    const end = await attempts(planned())
    t.match(end, { kind: 'failed', failure: { code: 'upstream_error' } })
    t.equal(end.attempts.length, 2)
  },
)

t.test('without any channel the request fails with the word for that', async (t) => {
  const end = await scene(() => retryable, 0).attempts(planned())
  t.match(end, { kind: 'failed', failure: { code: 'model_not_found' }, attempts: [] })
})

t.test('a group gets so many tries, then the next group has its turn', async (t) => {
  const groups: string[] = []
  const { attempts } = scene((state) => {
    groups.push(state.group)
    return retryable
  })
  await attempts(planned({ route: { groups: ['first', 'second', 'third'] } }))
  const perGroup = limits.retriesPerGroup + 1
  t.equal(groups.length, limits.attemptsMax)
  t.strictSame(groups.slice(0, perGroup + 1), [...Array(perGroup).fill('first'), 'second'])
})

t.test('a refusal thrown by a stage is a value, and a bug is told as internal', async (t) => {
  const refusal = scene(() => {
    throw new Refusal('database_unavailable')
  })
  t.match(await refusal.attempts(planned()), {
    kind: 'failed',
    failure: { code: 'database_unavailable' },
  })
  const bug = scene(() => {
    throw new TypeError('secret detail')
  })
  const end = await bug.attempts(planned())
  t.match(end, { kind: 'failed', failure: { code: 'internal_error' } })
  t.notMatch(JSON.stringify((end as { failure?: unknown }).failure), 'secret detail')
})

t.test('a retry starts from the planned record with what the loop has learned', async (t) => {
  const { seen, attempts } = scene((state) => (state.number === 1 ? retryable : opened()))
  await attempts(planned())
  t.equal(seen[1]?.number, 2)
  t.equal(seen[1]?.lastFailure?.code, 'upstream_error')
  t.equal((seen[1] as Picked).channel, undefined, 'nothing of the failed round is left')
})
