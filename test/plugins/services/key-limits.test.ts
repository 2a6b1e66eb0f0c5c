/** Notices of budgets that run out: one for each period and threshold. */
import t from 'tap'
import { budgetAlerts } from '../../../plugins/services/key-limits/budget-alerts.js'
import { headersOf } from '../../../plugins/services/key-limits/limit-headers.js'
import { periodEnd } from '../../../plugins/services/key-limits/period.js'
import { noticesFixture } from './notices-fixture.js'

const gateway = await noticesFixture(t)

t.test(
  '[LIMIT-6] an owner is notified at 80 and at 100 percent, once for each period',
  async (t) => {
    await gateway.clear()
    const one = await gateway.process(t)
    const { fixture } = gateway
    const { knex } = fixture.database
    const ada = await fixture.person('ada')
    await knex('users').where({ id: ada.userId }).update({ email: 'ada@example.com' })
    const { id } = await fixture.apiKey(ada.userId)
    const budget = { budget_quota: 1000, budget_period: 'day' }
    await knex('tokens')
      .where({ id })
      .update({ ...budget, budget_since: knex.raw("now() - interval '9 days'") })
    const starts_at = knex.raw("date_trunc('day', now(), 'UTC')")
    await knex('token_budgets').insert({ token_id: id, starts_at, used: 799 })
    const [alerts, others] = [one, one].map(({ notifications }) =>
      budgetAlerts({ knex, notifications }),
    )
    const use = (used: number) => knex('token_budgets').where({ token_id: id }).update({ used })
    const told = async () => {
      await Promise.all([alerts?.tellUsed(), others?.tellUsed(), alerts?.tellRefused()])
      await gateway.quiet(one)
      return gateway.sent.map(({ notice }) => notice.type)
    }
    t.same(await told(), [])
    alerts?.refused(id)
    t.same(
      await told(),
      [],
      'a request that is too large says nothing about a budget that is there',
    )
    await use(800)
    t.same(await told(), ['key_budget_low'])
    await use(950)
    t.same(await told(), ['key_budget_low'], 'once')
    alerts?.refused(id)
    t.same(
      await told(),
      ['key_budget_low', 'key_budget_used'],
      'what no longer fits finds it used up',
    )
    await use(1000)
    t.same(await told(), ['key_budget_low', 'key_budget_used'])
    const yesterday = knex.raw("date_trunc('day', now(), 'UTC') - interval '1 day'")
    for (const table of ['token_budgets', 'token_budget_notices']) {
      await knex(table).where({ token_id: id }).update({ starts_at: yesterday })
    }
    await knex('token_budgets').insert({ token_id: id, starts_at, used: 1200 })
    t.equal((await told()).length, 3, 'the next period has notices of its own')
    const content = gateway.sent[0]?.notice.content ?? ''
    t.match(content, /^The daily budget of the API key/)
    await knex('token_budgets').where({ token_id: id }).delete()
  },
)

t.test('[LIMIT-6] periods end at midnight, on Monday and on the first, in UTC', async (t) => {
  const end = (period: 'day' | 'week' | 'month', at: string) =>
    new Date(periodEnd(period, Date.parse(at))).toISOString().slice(0, 16)
  t.equal(end('day', '2026-02-28T23:59:59Z'), '2026-03-01T00:00')
  t.equal(end('week', '2026-11-29T23:59:59Z'), '2026-11-30T00:00')
  t.equal(end('week', '2026-11-30T00:00:00Z'), '2026-12-07T00:00')
  t.equal(end('month', '2026-12-31T23:59:59Z'), '2027-01-01T00:00')
})

t.test('[LIMIT-1] times are sent as each client reads them', async (t) => {
  const resetsAt = Date.parse('2026-11-29T00:00:00Z')
  const meter = { name: 'tokens', limit: 900, left: -5, resetsAt } as const
  const sent = headersOf([meter], 'messages', resetsAt - 3_723_400)
  t.match(sent, {
    'x-ratelimit-limit-tokens': '900',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': '1h2m4s',
    'anthropic-ratelimit-tokens-reset': '2026-11-29T00:00:00Z',
  })
})
