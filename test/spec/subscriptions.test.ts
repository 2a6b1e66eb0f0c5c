/** Subscriptions through a running gateway: a plan is made and bought, and pays for real requests. */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'

const gateway = await startGateway(t)
const { admin } = gateway
const upstream = await scriptedUpstream(t)
upstream.script(json(200, chat.whole('Hi.', 10, 10)))

await admin.option('ModelRatio', { metered: 1, other: 1 })
await admin.option('CompletionRatio', { metered: 1, other: 1 })
await admin.option('GroupRatio', { default: 1, vip: 1 })
await admin.channel({
  ...{ type: 1, name: 'one', key: 'key', base_url: upstream.url },
  ...{ models: 'metered,other', group: 'default,vip' },
})

async function user(username: string, quota = 0) {
  const person = { username, password: 'correct horse battery' }
  const { id } = await admin.must('POST', '/api/user/', { ...person, role: 1 })
  if (quota > 0) await admin.credit(id, quota)
  const self = management(gateway.url)
  await self.must('POST', '/api/user/login', person)
  return { ...self, id: id as number }
}

const monthly = {
  ...{ title: 'Monthly', price_amount: '10', balance_price: 5_000, total_amount: 100 },
  ...{ models: ['metered'], upgrade_group: 'vip', caps: [{ period: 'day', amount: 60 }] },
}

async function plan(over: object = {}): Promise<number> {
  const proof = await admin.prove('balance')
  const form = { ...monthly, ...over }
  return (await admin.must('POST', '/api/subscription/admin/plans', form, proof)).id
}

/** A request that costs 20. */
async function ask(key: string, model = 'metered') {
  const messages = [{ role: 'user', content: 'hello' }]
  const body = { model, messages, max_tokens: 5 }
  const response = await gateway.chat(body, { authorization: `Bearer ${key}` })
  const text = await response.text()
  await gateway.gateway.idle()
  return { status: response.status, code: /"code":"([^"]*)"/.exec(text)?.[1] }
}

const ownSubscription = async (self: Pick<typeof admin, 'must'>) =>
  (await self.must('GET', '/api/subscription/self')).subscriptions[0].subscription

t.test(
  '[BILL-3] a bought plan pays for what it covers, up to its caps, and the balance for the rest',
  async (t) => {
    const ada = await user('ada', 10_000)
    const planId = await plan()
    const [offered] = await ada.must('GET', '/api/subscription/plans')
    t.match(offered, { id: planId, title: 'Monthly', price_amount: '10.00', balance_price: 5_000 })
    const made = await ada.must('POST', '/api/subscription/balance/pay', { plan_id: planId })
    t.match(made, { status: 'active', amount_total: 100, amount_used: 0, upgrade_group: 'vip' })
    t.equal(await ada.balance(), 5_000n)
    t.equal((await ada.must('GET', '/api/user/self')).group, 'vip')
    const { key } = await ada.token()
    for (let count = 0; count < 3; count += 1) t.equal((await ask(key)).status, 200)
    t.equal(await ada.balance(), 5_000n)
    t.match(await ownSubscription(ada), {
      ...{ amount_used: 60, amount_held: 0, caps: [{ period: 'day', amount: 60, used: 60 }] },
    })
    const [row] = await gateway.logs()
    t.match(JSON.parse(row!.other), {
      ...{ billing_source: 'subscription', subscription_id: made.id },
      subscription_plan_title: 'Monthly',
    })
    t.equal((await ask(key)).status, 200)
    t.equal(await ada.balance(), 4_980n, 'beyond the cap')
    t.equal((await ask(key, 'other')).status, 200)
    t.equal(await ada.balance(), 4_960n, 'what the plan does not cover')
    const only = { billing_preference: 'subscription_only' }
    await ada.must('PUT', '/api/subscription/self/preference', only)
    t.match(await ask(key), { status: 403, code: 'insufficient_user_quota' })
    const ending = `/api/subscription/admin/user_subscriptions/${made.id}/invalidate`
    const ended = await admin.must('POST', ending, { reason: 'abuse' })
    t.match(ended, { status: 'cancelled', reason: 'Ended by root: abuse.' })
    t.equal((await ada.must('GET', '/api/user/self')).group, 'default')
    t.match(await admin.call('POST', ending, {}), { status: 404 })
  },
)

t.test('[AUTH-5] plans are made and given by root with a proof, and by nobody else', async (t) => {
  const bea = await user('bea')
  t.match(await admin.call('POST', '/api/subscription/admin/plans', monthly), { status: 403 })
  t.match(await bea.call('POST', '/api/subscription/admin/plans', monthly), { status: 403 })
  const planId = await plan()
  const wish = { user_id: bea.id, plan_id: planId }
  t.match(await admin.call('POST', '/api/subscription/admin/bind', wish), { status: 403 })
  const proof = await admin.prove('balance')
  const given = await admin.must('POST', '/api/subscription/admin/bind', wish, proof)
  t.match(given, { source: 'admin', user_id: bea.id })
  const { items } = await admin.must('GET', `/api/subscription/admin/users/${bea.id}/subscriptions`)
  t.match(items, [{ id: given.id }])
  const reset = `/api/subscription/admin/plans/${planId}/reset`
  const again = await admin.prove('balance')
  t.match(await admin.must('POST', reset, {}, again), { reset_count: 1, user_count: 1 })
})

t.test('what a plan states is checked, and the field that is wrong is named', async (t) => {
  const rows: readonly (readonly [object, string])[] = [
    [{ price_amount: '10.001' }, 'price_amount'],
    [{ price_amount: '1', currency: 'ZZZ' }, 'price_amount'],
    [{ prices: { JPY: '1.5' } }, 'prices'],
    [{ upgrade_group: 'nobody' }, 'upgrade_group'],
    [{ groups: ['nobody'] }, 'groups'],
    [{ duration_unit: 'custom' }, 'custom_seconds'],
    [{ quota_reset_period: 'custom' }, 'quota_reset_custom_seconds'],
    [{ currency: 'EUR', balance_price: undefined }, 'balance_price'],
    [{ total_amount: -1 }, 'total_amount'],
    [{ title: '' }, 'title'],
  ]
  for (const [over, field] of rows) {
    const form = { ...monthly, ...over }
    const { status, body } = await admin.call('POST', '/api/subscription/admin/plans', form)
    t.equal(status, 400, JSON.stringify(over))
    t.match(body, { success: false, field })
  }
})

t.test('a purchase that is repeated under one key is made once', async (t) => {
  const cleo = await user('cleo', 50_000)
  const planId = await plan()
  const buy = (key: string) =>
    cleo.call(
      'POST',
      '/api/subscription/balance/pay',
      { plan_id: planId },
      { 'idempotency-key': key },
    )
  const results = await Promise.all(Array.from({ length: 5 }, () => buy('one')))
  t.equal(results.filter(({ status }) => status === 200).length >= 1, true)
  t.equal(await cleo.balance(), 45_000n)
  const own = await cleo.must('GET', '/api/subscription/self')
  t.equal(own.subscriptions.length, 1)
})

t.test('of other people nothing is seen, changed or replaced (X12)', async (t) => {
  const [dora, eve] = [await user('dora', 50_000), await user('eve', 50_000)]
  const planId = await plan()
  const { id } = await dora.must('POST', '/api/subscription/balance/pay', { plan_id: planId })
  const renewal = `/api/subscription/self/${id}/renewal`
  t.match(await eve.call('PUT', renewal, { renews: true }), { status: 404 })
  const replacing = { plan_id: planId, replaces: id }
  t.match(await eve.call('POST', '/api/subscription/balance/pay', replacing), { status: 400 })
  t.equal(await eve.balance(), 50_000n)
  t.match(await dora.must('PUT', renewal, { renews: true }), { renewal: 'balance' })
  t.match(await dora.must('PUT', renewal, { renews: false }), { renewal: '' })
})

t.test('a newcomer begins with the plan that is set for them', async (t) => {
  const planId = await plan({ upgrade_group: '' })
  await admin.option('subscription_setting.new_user_plan', planId)
  const person = { username: 'newcomer', password: 'correct horse battery' }
  const self = management(gateway.url)
  await self.must('POST', '/api/user/register', person)
  await self.must('POST', '/api/user/login', person)
  t.match(await ownSubscription(self), { source: 'welcome', plan_id: planId })
})
