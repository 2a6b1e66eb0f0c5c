/** Plans in the console, as those see them who make, switch, give and end them: root, and admins who are not root. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { type Management, management, root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { inTheme, look, lookOnPhone, phone, tooWide } from './kit/look.js'

type Admin = Pick<Management, 'must' | 'prove'>

const password = 'a long password here'
const unit = 500_000

t.test('plans are made, given and ended', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  const opened = await openConsole(t)
  const { gateway, page, context, open, picture, expectError } = opened
  const { admin } = gateway
  // The proof that root's writes require, and what the server refuses.
  expectError(/400|403/)
  await admin.option('GroupRatio', { default: 1, vip: 0.8 })
  await admin.channel({ type: 1, name: 'one', key: 'key', models: 'gpt-4o,gpt-4o-mini' })
  const { id: adaId } = await admin.must('POST', '/api/user/', { username: 'ada', password })
  const ada = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
  await signIn(ada.context, gateway.url, { username: 'ada', password })
  const own = async (path: string) => {
    const headers = { 'new-api-user': String(adaId) }
    return (await (await ada.context.request.get(path, { headers })).json()).data
  }
  const onSale = () => own('/api/subscription/plans')

  await t.test('without a plan the page says what one is, and what to do', async (t) => {
    await open('/plans')
    await page.getByText('No plans yet').waitFor()
    await page.getByText('A plan sells quota for a time').waitFor()
    t.strictSame(await findings(page), [])
    await picture('plans-empty')
    await page.getByTestId('empty').getByRole('button', { name: 'New plan' }).click()
    await page.getByTestId('plan-form').waitFor()
    t.match(page.url(), /\/plans\/new$/)
  })

  await t.test('what is wrong stands at its field, whoever finds it', async (t) => {
    await page.getByTestId('save').click()
    await page.getByText('Give the plan a title.').waitFor()
    await page.getByText('Enter an amount such as 7.30.').waitFor()
    await page.locator('input[name=title]:focus').waitFor()
    await page.locator('input[name=title]').fill('Builder')
    await page.locator('input[name=subtitle]').fill('For one developer')
    await page.locator('input[name=price_amount]').fill('30')
    await figure(page.getByTestId('quota'), '20')
    await choose(page, page.getByTestId('currency'), 'JPY')
    await page.locator('input[name=price_amount]').fill('30.5')
    await figure(page.getByTestId('balance-own'), '')
    await figure(page.getByTestId('balance-price'), '30')
    await page.getByTestId('add-cap').click()
    await page.getByTestId('save').click()
    const cap = page.getByTestId('cap-row')
    await cap.getByText('Enter an amount above 0.').waitFor()
    await figure(cap.locator('.amount'), '5')
    await choose(page, cap.locator('.period'), 'within an exact time')
    await figure(cap.locator('.count'), '0')
    await save(page)
    await cap.getByText('must be greater than or equal to 60').waitFor()
    await picture('plan-refused-cap')
    await choose(page, cap.locator('.period'), 'within a day')
    await figure(cap.locator('.amount'), '5')
    await save(page)
    const price = page.locator('.field').filter({ has: page.locator('input[name=price_amount]') })
    await price.getByText('"30.5" is no amount in JPY.').waitFor()
    await page.locator('input[name=price_amount]:focus').waitFor()
    await picture('plan-refused-price')
    t.strictSame(await findings(page), [])
    t.strictSame(await onSale(), [])
  })

  await t.test('the preview shows what is typed, and what is hardly meant', async (t) => {
    const preview = page.getByTestId('preview')
    await choose(page, page.getByTestId('currency'), 'USD')
    await page.locator('input[name=price_amount]').fill('30')
    await page.getByTestId('balance-derived').click()
    await page.getByText('The price in USD: $30.00').waitFor()
    await page.getByTestId('add-price').click()
    const other = page.getByTestId('price-row')
    await choose(page, other.locator('.currency'), 'EUR')
    await other.locator('input').last().fill('28')
    await page.getByTestId('add-cap').click()
    await figure(page.getByTestId('cap-row').nth(1).locator('.amount'), '20')
    await choose(page, page.getByTestId('models'), 'gpt-4o-mini')
    await page.keyboard.press('Escape')
    await preview.getByRole('heading', { name: 'Builder' }).waitFor()
    for (const text of [
      ...['For one developer', '$30.00', 'or €28.00', 'or $30.00 from the balance'],
      ...['$20.00 of quota for the whole time', 'At most $5.00 within a day', 'gpt-4o-mini'],
    ]) {
      await preview.getByText(text, { exact: true }).waitFor()
    }
    await preview.getByText('Cap 2 never takes effect').waitFor()
    await figure(page.getByTestId('cap-row').nth(1).locator('.amount'), '12')
    await preview.getByTestId('warning-idleCap').waitFor({ state: 'detached' })
    await choose(page, page.getByTestId('upgrade'), 'vip')
    await choose(page, page.getByTestId('groups'), 'default')
    await page.keyboard.press('Escape')
    await preview.getByTestId('warning-groupNotPaid').waitFor()
    await choose(page, page.getByTestId('groups'), 'vip')
    await page.keyboard.press('Escape')
    await preview.getByTestId('warning-groupNotPaid').waitFor({ state: 'detached' })
    await page.getByTestId('balance-pay').click()
    await preview.getByTestId('warning-unsold').waitFor()
    await page.getByTestId('balance-pay').click()
    await preview.getByTestId('warnings').waitFor({ state: 'detached' })
    await picture('plan-new')
    await inTheme(page, 'dark')
    t.strictSame(await findings(page), [])
    await picture('plan-new-dark')
    await inTheme(page, 'light')
  })

  await t.test('root makes it with a proof, and users find it', async (t) => {
    await save(page)
    await page.getByRole('region', { name: 'Plans' }).getByText('Builder').waitFor()
    const [plan, ...others] = await onSale()
    t.strictSame(others, [])
    t.match(plan, {
      ...{ title: 'Builder', subtitle: 'For one developer', price_amount: '30.00' },
      ...{ currency: 'USD', prices: { EUR: '28.00' }, balance_price: 30 * unit },
      ...{ total_amount: 20 * unit, models: ['gpt-4o-mini'], groups: ['default', 'vip'] },
      caps: [
        { period: 'day', amount: 5 * unit },
        { period: 'week', amount: 12 * unit },
      ],
      ...{ upgrade_group: 'vip', allow_balance_pay: true, enabled: true },
    })
    await page.getByText('$30.00 from the balance').waitFor()
    t.strictSame(await findings(page), [])
    await picture('plans')
  })

  await t.test(
    'a change is sent whole, and says that subscriptions keep their terms',
    async (t) => {
      const [before] = await onSale()
      await page.getByRole('button', { name: 'Edit Builder' }).click()
      await page.getByText('Existing subscriptions keep the terms').waitFor()
      t.ok(await page.getByTestId('balance-derived').locator('input').isChecked())
      await page.locator('input[name=subtitle]').fill('For one developer, or two')
      await save(page)
      await page.getByRole('region', { name: 'Plans' }).getByText('or two').waitFor()
      const [after] = await onSale()
      t.strictSame(after, { ...before, subtitle: 'For one developer, or two' })
    },
  )

  await t.test('a copy begins off sale', async (t) => {
    await page.getByRole('button', { name: 'More of Builder' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByText('users do not see it until it is on sale').waitFor()
    t.equal(await page.locator('input[name=title]').inputValue(), 'Builder (copy)')
    await save(page)
    await page.getByRole('region', { name: 'Plans' }).getByText('Builder (copy)').waitFor()
    const plans = await admin.must('GET', '/api/subscription/admin/plans')
    t.match(plans, [{ title: 'Builder' }, { title: 'Builder (copy)', enabled: false }])
    t.strictSame(plans[1].caps, plans[0].caps)
    t.equal((await onSale()).length, 1)
  })

  await t.test('root gives a plan to a user, with a proof', async (t) => {
    await open('/plans/subscribers')
    await page.getByText('No subscriptions yet').waitFor()
    await page.getByTestId('give').click()
    const form = page.getByTestId('give-form')
    await form.getByTestId('give-now').click()
    await form.getByText('Choose a user.').waitFor()
    await choose(page, form.getByTestId('user'), 'ada')
    await form.getByText('1 month · $20.00 of quota for the whole time').waitFor()
    await picture('plan-give')
    t.strictSame(await findings(page), [])
    await form.getByTestId('give-now').click()
    await proveByPassword(page)
    await row(page, 'Builder').getByText('$0.00 of $20.00').waitFor()
    const { subscriptions } = await own('/api/subscription/self')
    t.match(subscriptions, [{ subscription: { title: 'Builder', source: 'admin' } }])
    t.strictSame(await findings(page), [])
    await picture('subscribers')
  })

  await t.test('of a subscription its terms are shown, and its quota granted anew', async (t) => {
    await row(page, 'Builder').getByRole('button', { name: 'Open subscription' }).click()
    const drawer = page.getByTestId('subscription')
    await drawer.getByText('$0.00 of $5.00 used').waitFor()
    await drawer.getByText('gpt-4o-mini').waitFor()
    await drawer.getByText('There are none.').waitFor()
    t.strictSame(await findings(page), [])
    await drawer.getByTestId('reset').click()
    await drawer.getByTestId('advance').click()
    await picture('subscription')
    await drawer.getByTestId('reset-now').click()
    await proveByPassword(page)
    await drawer.getByTestId('counts').getByText('Quota was granted anew.').waitFor()
    const { subscriptions } = await own('/api/subscription/self')
    const [{ subscription }] = subscriptions
    t.equal((await own(`/api/subscription/self/${subscription.id}/periods`)).length, 2)
    const periods = drawer.getByTestId('periods').getByRole('listitem')
    await periods.nth(1).getByText('$0.00 of $20.00 used').waitFor()
    await periods.first().getByText('Period 2').waitFor()
    t.equal(await drawer.getByText('Ended', { exact: true }).count(), 0)
    await picture('subscription-periods')
    t.strictSame(await findings(page), [])
  })

  await t.test('the quota of all who have a plan is granted anew, and counted', async (t) => {
    await open('/plans')
    await page.getByRole('link', { name: '1 have Builder now' }).waitFor()
    await page.getByRole('button', { name: 'More of Builder', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Grant quota anew to all' }).click()
    await page.getByTestId('reset-now').click()
    await proveByPassword(page)
    const counts = page.getByTestId('counts')
    await counts.waitFor()
    t.strictSame(await counts.locator('dd').allInnerTexts(), ['1', '1', '1'])
    await picture('plan-reset')
    t.strictSame(await findings(page), [])
    await page.getByTestId('reset-close').click()
  })

  await t.test(
    "a user's page leads to what they have, and it is ended with a reason",
    async (t) => {
      await open(`/users/${adaId}`)
      const card = page.getByTestId('subscriptions')
      await card.getByText('Builder').waitFor()
      await picture('user-subscriptions')
      await card.getByTestId('to-subscriptions').click()
      await row(page, 'Builder').getByRole('button', { name: 'Open subscription' }).click()
      t.match(page.url(), `user_id=${adaId}`)
      const drawer = page.getByTestId('subscription')
      await drawer.getByTestId('end').click()
      await drawer.getByTestId('end-now').click()
      await drawer.getByText('Give a reason.').waitFor()
      await drawer.locator('input[name=reason]').fill('Given by mistake')
      await picture('subscription-end')
      t.strictSame(await findings(page), [])
      await drawer.getByTestId('end-now').click()
      await drawer.getByTestId('reason').getByText('Ended by root: Given by mistake.').waitFor()
      await drawer.getByTestId('status').getByText('Ended early').waitFor()
      t.equal(await drawer.getByTestId('end').count(), 0)
      await drawer.getByText('Ended', { exact: true }).waitFor()
      const { subscriptions, all_subscriptions } = await own('/api/subscription/self')
      t.strictSame(subscriptions, [])
      t.match(all_subscriptions, [{ subscription: { reason: 'Ended by root: Given by mistake.' } }])
    },
  )

  await t.test('an admin who is not root switches plans, and makes none', async (t) => {
    const person = { username: 'grace', password }
    await admin.must('POST', '/api/user/', { ...person, role: 10 })
    const other = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    await signIn(other.context, gateway.url, person)
    await other.open('/plans')
    const region = other.page.getByRole('region', { name: 'Plans' })
    await region.getByRole('switch', { name: 'Builder on sale', exact: true }).click()
    await region
      .getByRole('switch', { name: 'Builder on sale', exact: true, checked: false })
      .waitFor()
    t.strictSame(await onSale(), [])
    for (const name of [/^New plan/, /^Edit /, /^More of /, /^Give/]) {
      t.equal(await other.page.getByRole('button', { name }).count(), 0)
    }
    await other.page
      .getByRole('button', { name: 'Show Builder as users see it', exact: true })
      .click()
    await other.page.getByTestId('preview').getByText('or €28.00').waitFor()
    await other.picture('plan-admin')
    t.strictSame(await findings(other.page), [])
    await other.open('/plans/new')
    await other.page.getByText('This page is for others').waitFor()
    await other.open('/plans/subscribers')
    await row(other.page, 'Builder').getByRole('button', { name: 'Open subscription' }).click()
    await other.page.getByTestId('subscription').waitFor()
    t.equal(await other.page.getByTestId('give').count(), 0)
    t.equal(await other.page.getByTestId('reset').count(), 0)
  })

  await t.test('subscriptions are found by plan, state and user, in the address', async (t) => {
    await open('/plans/subscribers?status=active')
    await page.getByText('Nothing found').waitFor()
    await give(admin, adaId)
    // By itself: another admin gave it.
    await row(page, 'Builder').waitFor()
    await page.getByTestId('clear-filters').click()
    await row(page, 'Builder').nth(1).waitFor()
    await choose(page, page.getByTestId('filter-plan_id'), 'Builder (copy)')
    await page.getByText('Nothing found').waitFor()
    t.match(page.url(), /plan_id=\d+/)
  })

  await t.test('a subscription that was paid for leads to its order', async (t) => {
    await admin.option('ServerAddress', gateway.url)
    await admin.option('payment.offline.enabled', true)
    await admin.option('payment.offline.instructions', 'Transfer {amount} for {order}.')
    const [{ id: planId }] = await admin.must('GET', '/api/subscription/admin/plans')
    await admin.must('PATCH', `/api/subscription/admin/plans/${planId}`, { enabled: true })
    const purchase = { plan_id: planId, gateway: 'offline' }
    const self = management(gateway.url)
    await self.must('POST', '/api/user/login', { username: 'ada', password })
    const { order } = await self.must('POST', '/api/subscription/pay', purchase)
    const seen = { trade_no: order.trade_no, reason: 'Seen on the statement' }
    await admin.must('POST', '/api/user/topup/complete', seen, await admin.prove('balance'))
    await open(`/plans/subscribers?user_id=${adaId}&status=active`)
    const paid = row(page, 'Builder').filter({ hasText: 'Paid order' })
    await paid.getByRole('button', { name: 'Open subscription' }).click()
    await page.getByTestId('to-order').click()
    await page.getByRole('button', { name: `Open order ${order.trade_no}` }).waitFor()
    t.match(page.url(), /\/orders\?keyword=/)
  })

  await t.test('every page in both themes, and on a phone', async (t) => {
    const { id } = await largest(admin)
    const paths = ['/plans', '/plans/subscribers', `/plans/${id}`]
    await look(t, opened, paths)
    const small = await consoleOf(t, context.browser()!, gateway, { viewport: phone })
    await lookOnPhone(t, small, [...paths, '/plans/new'])
    await small.open('/plans/subscribers')
    await row(small.page, 'Builder')
      .first()
      .getByRole('button', { name: 'Open subscription' })
      .click()
    await small.page.getByTestId('subscription').waitFor()
    t.equal(await tooWide(small.page), 0)
    await small.picture('subscription-phone')
    const chinese = await consoleOf(t, context.browser()!, gateway, { locale: 'zh-CN' })
    await chinese.open(`/plans/${id}`)
    await chinese.page.getByTestId('preview').getByText('For whole').waitFor()
    await chinese.picture('plan-chinese')
  })
})

function row(page: Page, title: string) {
  return page
    .getByRole('region', { name: 'Subscribers' })
    .locator('tbody tr')
    .filter({ has: page.getByText(title, { exact: true }) })
}

async function give(admin: Admin, id: number): Promise<void> {
  const [plan] = await admin.must('GET', '/api/subscription/admin/plans')
  const proof = await admin.prove('balance')
  await admin.must('POST', '/api/subscription/admin/bind', { plan_id: plan.id, user_id: id }, proof)
}

/** A plan with as much in it as it may have. */
async function largest(admin: Admin): Promise<{ readonly id: number }> {
  const caps = ['hour', 'day', 'week', 'month'].map((period, at) => ({
    ...{ period, amount: (at + 1) * 123_456_789 },
  }))
  const form = {
    ...{
      title: 'For whole departments of large companies '.repeat(2).padEnd(99, 'x'),
      sort_order: 9,
    },
    ...{
      subtitle: 'Everything there is, for everybody who is there. '.repeat(4),
      price_amount: '123456.78',
    },
    prices: { EUR: '112233.44', JPY: '18000000', KWD: '37000.123', CNY: '880000.00' },
    ...{ duration_unit: 'custom', custom_seconds: 5_400, total_amount: 98_765_432_100 },
    ...{ quota_reset_period: 'custom', quota_reset_custom_seconds: 5_400, trial_days: 30, caps },
    models: Array.from({ length: 60 }, (_, at) => `a-provider/some-model-with-a-long-name-${at}`),
    max_purchase_per_user: 3,
  }
  return admin.must('POST', '/api/subscription/admin/plans', form, await admin.prove('balance'))
}

/** Into the field of an amount. */
async function figure(field: Locator, amount: string): Promise<void> {
  if (amount === '') return field.click()
  await field.locator('input').fill(amount)
  await field.locator('input').blur()
}

async function choose(page: Page, select: Locator, name: string): Promise<void> {
  await select.click()
  if ((await select.locator('input:not([readonly])').count()) > 0) await page.keyboard.type(name)
  await page.locator('.n-base-select-option:visible').getByText(name).first().click()
}

/** With the proof, where the server still requires one. */
async function save(page: Page): Promise<void> {
  const answer = page.waitForResponse((one) => one.url().includes('/subscription/admin/plans'))
  await page.getByTestId('save').click()
  if ((await (await answer).json()).code === 'verification_required') await proveByPassword(page)
}

async function proveByPassword(page: Page): Promise<void> {
  const dialog = page.getByTestId('step-up')
  await dialog.locator('input[type=password]').fill(root.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}
