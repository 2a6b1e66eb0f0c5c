/** What the console warns of while a plan is written. */
import t from 'tap'
import { type Judged, warningsOf } from '../../console/modules/plans/editor/plan-warnings.js'

const usual: Judged = {
  ...{ allow_balance_pay: true, balance_price: 100, offers: [] },
  ...{ duration_unit: 'month', duration_value: 1, custom_seconds: 0, total_amount: 100 },
  ...{ quota_reset_period: 'never', quota_reset_custom_seconds: 0, trial_days: 0 },
  ...{ caps: [], groups: [], upgrade_group: '' },
}
const namesOf = (over: Partial<Judged>) => warningsOf({ ...usual, ...over }).map(({ name }) => name)

type Cap = Judged['caps'][number]
const cap = (period: Cap['period'], amount: number): Cap => ({ period, amount, custom_seconds: 0 })

t.test('a plan nobody can buy, or anybody for nothing, is warned of', async (t) => {
  const offer = {
    ...{ gateway: 'epay', title: 'Epay', currency: 'CNY', price: '1.00' },
    ...{ recurring: false, test: false },
  }
  t.strictSame(namesOf({}), [])
  t.strictSame(namesOf({ allow_balance_pay: false }), ['unsold'])
  t.strictSame(namesOf({ allow_balance_pay: false, offers: [offer] }), [])
  t.strictSame(namesOf({ balance_price: 0 }), ['free'])
})

t.test('a duration that is no longer than the time of its quota is warned of', async (t) => {
  const day = { duration_unit: 'day', quota_reset_period: 'daily' } as const
  t.strictSame(namesOf(day), ['twice'])
  t.strictSame(namesOf({ ...day, duration_value: 2 }), [])
  const short = { duration_unit: 'custom', custom_seconds: 3_600 } as const
  t.strictSame(namesOf({ ...short, quota_reset_period: 'daily' }), ['twice'])
  const exact = { quota_reset_period: 'custom', quota_reset_custom_seconds: 3_600 } as const
  t.strictSame(namesOf({ ...short, ...exact }), ['neverAnew'])
  t.strictSame(namesOf({ ...short, custom_seconds: 7_200, ...exact }), [])
})

t.test('a cap that cannot be reached is warned of, and none that can', async (t) => {
  const cases: readonly (readonly [Judged['quota_reset_period'], readonly Cap[], boolean])[] = [
    ['never', [cap('day', 100)], true],
    ['never', [cap('day', 99)], false],
    ['daily', [cap('day', 100)], true],
    ['daily', [cap('week', 100)], false],
    ['daily', [cap('week', 700)], true],
    ['weekly', [cap('month', 599)], false],
    ['monthly', [cap('week', 199)], false],
    ['monthly', [cap('week', 200)], true],
    ['never', [cap('hour', 20), cap('day', 20)], true],
    ['never', [cap('hour', 20), cap('day', 21)], false],
    ['never', [cap('week', 50), cap('month', 50)], false],
  ]
  for (const [quota_reset_period, caps, isIdle] of cases) {
    const names = namesOf({ quota_reset_period, caps, duration_unit: 'year' })
    t.strictSame(names, isIdle ? ['idleCap'] : [], JSON.stringify([quota_reset_period, caps]))
  }
  t.strictSame(namesOf({ total_amount: 0, caps: [cap('day', 1_000)] }), [], 'without bound')
})

t.test('a group it does not pay for, and a trial that outlasts it, are warned of', async (t) => {
  t.strictSame(namesOf({ upgrade_group: 'vip', groups: ['default'] }), ['groupNotPaid'])
  t.strictSame(namesOf({ upgrade_group: 'vip', groups: ['default', 'vip'] }), [])
  t.strictSame(namesOf({ upgrade_group: 'vip' }), [])
  t.strictSame(namesOf({ trial_days: 40 }), ['longTrial'])
})
