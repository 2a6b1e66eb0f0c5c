import t from 'tap'
import { finalUsage } from '../../../kernel/pipeline/usage.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'

const estimate = { input: 100 }

t.test(
  '[FMT-3] a missing output count is the parsed one, a nonzero reported count is kept',
  (t) => {
    const table = [
      // reported                    estimatedTokens   billed output
      [{ input: 10 }, 7, 7],
      [{ input: 10, output: 0 }, 7, 7],
      [{ input: 10, output: 3 }, 7, 3],
      [{ input: 10, output: 0 }, 0, 0],
    ] as const
    for (const [reported, estimatedTokens, output] of table) {
      t.equal(finalUsage({ reported, estimatedTokens, estimate }).usage.output, output)
    }
    t.end()
  },
)

t.test('nothing reported and nothing delivered is nothing (M10)', (t) => {
  t.strictSame(finalUsage({ reported: undefined, estimatedTokens: 0, estimate }), {
    usage: {},
    estimated: [],
    anomaly: false,
  })
  t.end()
})

t.test(
  'no report but delivered text is billed by the local counts and states so (M9, M12)',
  (t) => {
    t.strictSame(finalUsage({ reported: undefined, estimatedTokens: 42, estimate }), {
      usage: { input: 100, output: 42 },
      estimated: ['input', 'output'],
      anomaly: false,
    })
    t.end()
  },
)

t.test('a reported input of 0 is not missing (M10)', (t) => {
  const { usage, estimated } = finalUsage({
    reported: { input: 0, output: 5 },
    estimatedTokens: 5,
    estimate,
  })
  t.equal(usage.input, 0)
  t.strictSame(estimated, [])
  t.end()
})

t.test('absurd reports are clamped and flagged, never credited (M21)', (t) => {
  const hostile = { input: -5, output: 1e18, cacheRead: Number.NaN, reasoning: '9' } as never
  const { usage, anomaly } = finalUsage({ reported: hostile, estimatedTokens: 1, estimate })
  t.equal(anomaly, true)
  t.strictSame(usage, { input: 0, output: limits.tokensMax })
  t.end()
})
