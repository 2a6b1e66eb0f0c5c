/** The retry budget of a process (S18). */
import t from 'tap'
import { createRetryBudget } from '../../../kernel/pipeline/retry-budget.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'

const { retriesAtOnceMin: least, retriesAtOncePercent: percent } = limits

/** How many of so many requests under way at once get a further try. */
function retrying(requests: number): number {
  const budget = createRetryBudget()
  const shares = Array.from({ length: requests }, () => budget.begin())
  return shares.filter((share) => share.retry()).length
}

t.test('so many retries at once, or a share of the requests under way where that is more', (t) => {
  const many = (least * 100) / percent
  const rows = [
    // requests    on a retry
    [1, 1],
    [least, least],
    [least + 1, least],
    [many, least],
    [many + 50, Math.floor(((many + 50) * percent) / 100)],
    [10_000, 2_000],
  ] as const
  for (const [requests, expected] of rows) {
    t.equal(retrying(requests), expected, `${requests} requests`)
  }
  t.end()
})

t.test('a request counts once, however often it retries, and gives its place back', (t) => {
  const budget = createRetryBudget()
  const shares = Array.from({ length: least + 1 }, () => budget.begin())
  const [first, ...others] = shares
  const late = others.pop()!
  for (const share of [first!, ...others]) t.equal(share.retry(), true)
  t.equal(first!.retry(), true, 'one that is on a retry goes on')
  t.equal(late.retry(), false)
  first!.end()
  t.equal(late.retry(), true)
  t.end()
})

t.test('a request that never retried gives nothing back', (t) => {
  const budget = createRetryBudget()
  const shares = Array.from({ length: least }, () => budget.begin())
  for (const share of shares) share.retry()
  const idle = budget.begin()
  const next = budget.begin()
  idle.end()
  t.equal(next.retry(), false)
  t.end()
})
