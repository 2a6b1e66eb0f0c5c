/** The area of automatic top-up: what users set, see and end, from the order they agree with to the page of the provider. */
import t from 'tap'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import createArea from '../../../plugins/management/auto-topup/index.js'
import createPaymentsArea from '../../../plugins/management/payments/index.js'
import type { Verification } from '../../../plugins/services/verification/index.js'
import { autoTopupFixture } from '../services/auto-topup/auto-topup-fixture.js'
import { chargeNotice } from '../services/payments/payments-fixture.js'
import { call, data, settingsOf } from './management-fixture.js'

const fixture = await autoTopupFixture(t)
const { clock, log, database, payments, autoTopup, person, opened, callback, spend } = fixture
const { subscriptions, secrets } = fixture
const life = { settings: settingsOf({}), clock, log }
const services = { payments, 'auto-topup': autoTopup }
const area = createArea({ ...life, services })
const verification = {} as Verification
const egress = {} as Egress
const buying = createPaymentsArea({
  ...life,
  services: { database, payments, subscriptions, egress, secrets, verification },
})
const form = { enabled: true, below: 500_000, amount: 10, monthly_cap: 100 }

t.test('[SVC-4] a user agrees with an order, sets it, and sees what was bought', async (t) => {
  const principal = await person('ada')
  t.match(await data(area, 'read', { principal }), {
    ...{ offered: true, enabled: false, state: 'off', reason: '', gateway: '', amount: 0 },
    ...{ monthly_cap_max: 1_000, mandates: [] },
    gateways: [{ name: 'acme', title: 'Acme Pay', test: false }],
  })
  const refused = { code: 'invalid_field', param: 'gateway' }
  await t.rejects(call(area, 'set', { principal, body: form }), refused)
  const body = { gateway: 'acme', amount: 10, keep_mandate: true }
  const { order } = await data(buying, 'place', { principal, body })
  t.equal(opened.at(-1)?.keepsMandate, true)
  const placed = { orderNo: order.trade_no, amountMinor: 7_000n, currency: 'CNY' }
  const notice = chargeNotice({ ...placed, title: '', mandate: '' })
  await callback({ ...notice, mandate: 'pm_of_ada' })
  const { data: state, audit } = await call(area, 'set', { principal, body: form })
  t.match(state, {
    ...{ enabled: true, state: 'on', gateway: 'acme', amount: 10, monthly_cap: 100, spent: 0 },
    mandates: [
      { gateway: 'acme', title: 'Acme Pay', test: false, portal: true, created_time: Number },
    ],
  })
  t.equal(Number(state.below), 500_000)
  t.match(audit, {
    object: `user ${principal.userId}`,
    detail: 'automatic top-up 10 units below 500000, up to 100 a month',
  })
  await spend(principal.userId)
  await autoTopup.run()
  t.match(await data(area, 'read', { principal }), { spent: 10, state: 'on' })
  const { items } = await data(buying, 'own', { principal })
  t.match(items, [
    { status: 'success', automatic: true },
    { status: 'success', automatic: false },
  ])
  const shown = JSON.stringify([state, items], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  t.notMatch(shown, 'pm_of_ada')
  const page = await call(area, 'portal', { principal, body: { gateway: 'acme' } })
  t.match(page.data, { url: 'https://pay.example/portal/pm_of_ada' })
  t.match(await data(area, 'remove', { principal }), {
    ...{ enabled: false, state: 'off', gateway: '', mandates: [], spent: 10 },
  })
  const body2 = { gateway: 'acme' }
  await t.rejects(call(area, 'portal', { principal, body: body2 }), refused)
})

t.test('[SVC-4] what can be bought says by which gateways it can be agreed to', async (t) => {
  const principal = await person('bea')
  t.match(await data(buying, 'info', { principal }), {
    gateways: [
      { name: 'acme', keeps_mandate: true },
      { name: 'other', keeps_mandate: false },
    ],
  })
  const body = { gateway: 'other', amount: 10, keep_mandate: true }
  await t.rejects(call(buying, 'place', { principal, body }), {
    ...{ code: 'invalid_field', param: 'keep_mandate' },
  })
})

t.test('what cannot hold is refused by the name of its field', async (t) => {
  const principal = await person('cleo')
  await fixture.agree(principal.userId, 'pm_cleo')
  const rows = [
    ['below', { below: -1 }],
    ['below', { below: 1.5 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: 1.5 }],
    ['amount', { amount: undefined }],
    ['monthly_cap', { monthly_cap: 9 }],
    ['monthly_cap', { monthly_cap: 1_001 }],
    ['enabled', { enabled: 'perhaps' }],
    ['gateway', { gateway: 'other' }],
  ] as const
  for (const [param, over] of rows) {
    const body = { ...form, ...over }
    await t.rejects(call(area, 'set', { principal, body }), { code: 'invalid_field', param }, param)
  }
  t.match(await data(area, 'set', { principal, body: { ...form, below: 0, monthly_cap: 10 } }), {
    ...{ enabled: true, monthly_cap: 10 },
  })
  t.match(await data(area, 'set', { principal, body: { ...form, enabled: false } }), {
    ...{ enabled: false, state: 'off' },
  })
})
