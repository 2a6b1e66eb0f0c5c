/**
 * Plans and subscriptions in the console, as users see them: bought from the balance, by bank transfer and by a form at a
 * provider, tried, changed, and used, on a desk and on a phone.
 */
import type { Page } from 'playwright-core'
import t from 'tap'
import { management } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { alter } from './kit/altered.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { epayProvider, offerPayments, signed } from './kit/epay.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const password = 'a long password here'

const models = ['gpt-4o-mini', 'gpt-4o', 'claude-haiku-4-5', 'claude-sonnet-4-5', 'gemini-2.5-pro']
const model = `${'a-very-long-name'.repeat(6)}`
const starter = {
  ...{ title: 'Starter', subtitle: 'For trying things out', price_amount: '10', currency: 'USD' },
  ...{ prices: { CNY: '70' }, total_amount: 1_000_000, quota_reset_period: 'daily', sort_order: 1 },
  ...{ models, caps: [{ period: 'hour', amount: 500_000 }] },
}
const team = {
  ...{ title: 'Team', price_amount: '20', currency: 'USD', prices: { CNY: '140' } },
  ...{ total_amount: 50_000_000, quota_reset_period: 'monthly', trial_days: 3, sort_order: 2 },
  ...{ groups: ['default', 'vip'], upgrade_group: 'vip', max_purchase_per_user: 2 },
}
const boundless = {
  ...{ title: 'Boundless', price_amount: '500', currency: 'USD', allow_wallet_overflow: false },
  ...{ total_amount: 0, duration_unit: 'year', sort_order: 3, allow_balance_pay: true },
}
const cheap = {
  ...{ title: 'Small', price_amount: '1', currency: 'USD', prices: { CNY: '7' }, sort_order: 4 },
  ...{ total_amount: 100_000, duration_unit: 'custom', custom_seconds: 5_400 },
}

/** As the provider reports that an order is paid. */
async function reportPaid(url: string, form: Readonly<Record<string, string>>): Promise<string> {
  const { out_trade_no, money } = form
  const fields = {
    ...{ pid: '1001', trade_no: `ep-${out_trade_no}`, out_trade_no: out_trade_no! },
    ...{ type: 'alipay', name: 'plan', money: money!, trade_status: 'TRADE_SUCCESS' },
  }
  return (await fetch(`${url}/api/payment/epay/callback?${signed(fields)}`)).text()
}

t.test('plans are bought and used', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const admins = await openConsole(t)
  const { gateway } = admins
  const { admin, url } = gateway
  const provider = await epayProvider(t)
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('Hello.', 1_000, 1_000)))
  await admin.option('ModelRatio', { 'gpt-4o-mini': 25 })
  await admin.option('CompletionRatio', { 'gpt-4o-mini': 1 })
  await admin.option('GroupRatio', { default: 1, vip: 1 })
  await admin.channel({
    ...{ type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini', name: 'main' },
    group: 'default,vip',
  })
  const { id: userId } = await admin.must('POST', '/api/user/', { username: 'ada', password })
  await admin.credit(userId, 15_000_000)
  const ada = management(url)
  await ada.login('ada', password)
  const payer = await consoleOf(t, admins.context.browser()!, gateway, { signedIn: false })
  await signIn(payer.context, url, { username: 'ada', password })
  const { page, picture, expectError } = payer
  const open = () => payer.open('/subscriptions')
  const card = (title: string) => page.getByTestId('subscription').filter({ hasText: title })
  const plan = (title: string) => page.getByRole('region', { name: title, exact: true })
  const dialog = page.getByRole('dialog')
  const own = async () => (await ada.must('GET', '/api/subscription/self')).subscriptions
  const make = async (form: object): Promise<number> => {
    const proof = await admin.prove('balance')
    return (await admin.must('POST', '/api/subscription/admin/plans', form, proof)).id
  }

  await t.test('with nothing on sale the page says so', async (t) => {
    await open()
    await page.getByText('No plan is on sale').waitFor()
    await page.getByText('You have no subscription').waitFor()
    await picture('subscriptions-empty')
    t.strictSame(await findings(page), [])
  })

  await offerPayments(gateway, provider.url)
  const starterId = await make(starter)
  await make(team)
  await make(boundless)
  await make(cheap)

  await t.test('plans stand side by side with what they hold, cover and cost', async (t) => {
    await open()
    const first = plan('Starter')
    for (const text of [
      ...['$10.00', 'for 1 month', 'or CN¥70.00', 'or $10.00 from the balance'],
      ...['$2.00 of quota each day', 'At most $1.00 within an hour', '1 more'],
    ]) {
      await first.getByText(text).first().waitFor()
    }
    const second = plan('Team')
    await second.getByText('Moves you to the group vip').waitFor()
    await second.getByText('Can be tried for 3 days').waitFor()
    await second.getByText('You may buy it 2 more times').waitFor()
    await plan('Boundless').getByText('Unlimited quota').waitFor()
    await plan('Boundless').getByText('Your balance does not pay for what goes beyond it').waitFor()
    await plan('Small').getByText('for 90 minutes').waitFor()
    await picture('subscriptions-plans')
    t.strictSame(await findings(page), [])
  })

  await t.test('without an address to come back to, the gateway says what is missing', async () => {
    expectError(/409/)
    await plan('Starter').getByTestId('buy').click()
    await dialog.getByTestId('by-offline').click()
    await dialog.getByText('Pay $10.00').click()
    await dialog.getByText('An admin sets the option ServerAddress first').waitFor()
    await picture('subscriptions-no-address')
    await page.keyboard.press('Escape')
    await admin.option('ServerAddress', url)
  })

  await t.test(
    'where the balance does not hold the price, the way to the wallet is shown',
    async (t) => {
      expectError(/400/)
      await plan('Boundless').getByTestId('buy').click()
      await dialog.getByText('Your balance does not hold this price.').waitFor()
      t.equal(
        await dialog.getByRole('link', { name: 'Add credit' }).getAttribute('href'),
        '/wallet',
      )
      await dialog.getByTestId('buy-now').click()
      await dialog.getByText('Your balance does not hold the price of this plan.').waitFor()
      await picture('subscriptions-short')
      t.strictSame(await findings(page), [])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    },
  )

  await t.test('a plan is bought from the balance, and is there at once', async (t) => {
    await plan('Starter').getByTestId('buy').click()
    await dialog.getByTestId('price').getByText('$10.00').waitFor()
    await dialog.getByTestId('renews').click()
    await picture('subscriptions-buy')
    t.strictSame(await findings(page), [])
    await dialog.getByTestId('buy-now').click()
    await page.getByText('Your subscription has begun: Starter').waitFor()
    await card('Starter').getByTestId('left').getByText('$2.00 left').waitFor()
    await card('Starter').getByTestId('goes-on').getByText('from your balance for $10.00').waitFor()
    await plan('Starter').getByTestId('yours').waitFor()
    t.equal(await ada.balance(), 10_000_000n)
    const [{ subscription }] = await own()
    t.match(subscription, { renewal: 'balance', renewal_price: 5_000_000, gateway: '' })
  })

  await t.test('[BILL-3] a relayed request moves the bars without a reload', async (t) => {
    const { key: token } = await ada.token()
    const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }
    const answer = await gateway.chat(question, { authorization: `Bearer ${token}` })
    await answer.text()
    await card('Starter').getByTestId('left').getByText('$1.90 left').waitFor()
    const usage = card('Starter').getByTestId('usage')
    await usage.getByText('$0.10 of $2.00 used').waitFor()
    t.equal(await usage.getByRole('progressbar').getAttribute('aria-valuenow'), '5')
    const cap = card('Starter').getByTestId('cap')
    await cap.getByText('$0.10 of $1.00 used').waitFor()
    t.equal(await cap.getByRole('progressbar').getAttribute('aria-valuenow'), '10')
    t.equal(await ada.balance(), 10_000_000n, 'the balance paid nothing')
    await picture('subscriptions-used')
    t.strictSame(await findings(page), [])
  })

  await t.test('what is held for requests under way has a part of the bar', async () => {
    await withOwn(page, { amount_held: 250_000 })
    await open()
    await card('Starter').getByTestId('held').getByText('$0.50 more is held').waitFor()
    await card('Starter').getByTestId('left').getByText('$1.40 left').waitFor()
    await picture('subscriptions-held')
    await page.unroute('**/api/subscription/self')
  })

  await t.test('the periods so far are shown with what was used of them', async (t) => {
    await open()
    await card('Starter').getByTestId('history').click()
    await page.getByTestId('periods').getByText('$0.10 of $2.00 used').waitFor()
    await picture('subscriptions-history')
    t.strictSame(await findings(page), [])
    await page.keyboard.press('Escape')
  })

  await t.test('renewal is switched off, and on again, after saying what follows', async (t) => {
    await card('Starter').getByTestId('renewal').click()
    await dialog.getByText('Nothing more is taken from your balance for it.').waitFor()
    await picture('subscriptions-renewal-off')
    await dialog.getByRole('button', { name: 'Stop renewing' }).click()
    await card('Starter').getByTestId('goes-on').getByText('It ends by itself').waitFor()
    t.match((await own())[0].subscription, { renewal: '' })
    await card('Starter').getByTestId('renewal').click()
    await dialog.getByText('it is bought again for $10.00 from your balance').waitFor()
    await dialog.getByRole('button', { name: 'Renew it' }).click()
    await card('Starter').getByTestId('goes-on').getByText('from your balance for $10.00').waitFor()
  })

  await t.test(
    'a payment that repeats is ended for good, and its provider has a page',
    async (t) => {
      await withOwn(page, { renewal: 'gateway', gateway: 'epay', plan_id: 999 })
      await page.route('**/api/subscription/self/*/portal', (route) =>
        route.fulfill({
          json: { success: true, message: '', data: { url: `${provider.url}/portal` } },
        }),
      )
      await open()
      await card('Starter').getByTestId('goes-on').getByText('collects the next payment').waitFor()
      await card('Starter').getByTestId('renewal').click()
      await dialog
        .getByText('stops collecting for good: that cannot be switched on again.')
        .waitFor()
      await dialog.getByText('Renewing it from your balance can').waitFor({ state: 'detached' })
      await picture('subscriptions-renewal-gateway')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await card('Starter').getByTestId('portal').click()
      await page.getByRole('heading', { name: 'Cashier' }).waitFor()
      t.equal(page.url(), `${provider.url}/portal`)
      await page.unrouteAll()
    },
  )

  await t.test('what pays first is chosen', async (t) => {
    await open()
    await page.getByTestId('prefers-wallet_first').click()
    await page.getByText('Saved.').waitFor()
    t.match(await ada.must('GET', '/api/subscription/self'), { billing_preference: 'wallet_first' })
    await page.getByTestId('prefers-subscription_first').click()
    await page
      .getByTestId('prefers-subscription_first')
      .locator('input:checked')
      .waitFor({ state: 'attached' })
  })

  await t.test('a plan is tried, once, and its trial does not renew', async (t) => {
    await plan('Team').getByTestId('try').click()
    await dialog.getByText('You have it for 3 days and pay nothing.').waitFor()
    await picture('subscriptions-trial')
    t.strictSame(await findings(page), [])
    await dialog.getByTestId('try-now').click()
    await card('Team').getByText('This trial ends by itself').waitFor()
    await card('Team')
      .getByText('It moved you to vip. At its end you are moved to default.')
      .waitFor()
    t.equal(await card('Team').getByTestId('renewal').count(), 0)
    await plan('Team').getByTestId('try').waitFor({ state: 'detached' })
    await plan('Team').getByText('Can be tried').waitFor({ state: 'detached' })
    t.equal(await ada.balance(), 10_000_000n)
  })

  await t.test(
    'a change takes off what the server quotes, and shows it as one chooses',
    async (t) => {
      const mine = (await own()).find((one: Wrapped) => one.subscription.title === 'Starter')
      await plan('Team').getByTestId('buy').click()
      await dialog.getByTestId('price').getByText('$20.00').waitFor()
      await dialog.getByTestId(`replaces-${mine.subscription.id}`).click()
      await dialog
        .getByTestId('taken-off')
        .getByText(/^−\$9\.\d+$/)
        .waitFor()
      await dialog
        .getByTestId('price')
        .getByText(/^\$10\.\d+$/)
        .waitFor()
      await picture('subscriptions-change')
      t.strictSame(await findings(page), [])
      await dialog.getByTestId('buy-now').click()
      await page.getByTestId('ended').getByText('Replaced by "Team".').waitFor()
      await card('Starter').waitFor({ state: 'detached' })
      const left = await ada.balance()
      t.ok(left > 4_500_000n && left < 5_100_000n, `what was taken off was not paid: ${left}`)
      await picture('subscriptions-changed')
    },
  )

  await t.test('bank transfer: instructions, then the page shows it once it is paid', async (t) => {
    await plan('Small').getByTestId('buy').click()
    await dialog.getByTestId('by-offline').click()
    await dialog.getByText('Pay $1.00').click()
    await page.waitForURL('**/wallet?order=*')
    await dialog.getByText('1.00 USD').waitFor()
    await picture('subscriptions-instructions')
    await dialog.getByTestId('paid').click()
    const panel = page.getByTestId('order-state')
    await panel.getByText('the payment of $1.00 for Small').waitFor()
    await picture('subscriptions-order-waiting')
    t.strictSame(await findings(page), [])
    await page.getByRole('link', { name: 'Orders' }).click()
    const orders = page.getByRole('region', { name: 'Orders' })
    await orders.getByText('Small').waitFor()
    // An order that waits leads back to its state.
    await orders.getByRole('link').click()
    await panel.getByText('the payment of $1.00 for Small').waitFor()
    await panel.getByRole('link', { name: 'To plans and subscriptions' }).click()
    const waiting = page.getByTestId('waiting')
    await waiting.getByText('Small: the payment of $1.00 is not reported yet.').waitFor()
    await picture('subscriptions-waiting')
    const [order] = (await ada.must('GET', '/api/user/topup/self?p=1')).items
    const proof = await admin.prove('balance')
    const form = { trade_no: order.trade_no, reason: 'Seen on the statement' }
    await admin.must('POST', '/api/user/topup/complete', form, proof)
    await card('Small').waitFor()
    await waiting.waitFor({ state: 'detached' })
  })

  await t.test(
    'a form at a provider: the wallet says that the subscription has begun',
    async (t) => {
      await plan('Starter').getByTestId('buy').click()
      await dialog.getByTestId('by-epay').click()
      await dialog.getByText('Alipay', { exact: true }).waitFor()
      await dialog.getByText('You pay once. It ends by itself after 1 month.').waitFor()
      await picture('subscriptions-epay')
      await dialog.getByText('Pay CN¥70.00').click()
      await page.getByRole('heading', { name: 'Cashier' }).waitFor()
      const form = provider.forms.at(-1)!
      t.match(form, { pid: '1001', type: 'alipay', money: '70.00' })
      await page.goto(form.return_url!)
      const panel = page.getByTestId('order-state')
      await panel.getByText('the payment of CN¥70.00 for Starter').waitFor()
      t.equal(await reportPaid(url, form), 'success')
      await panel.getByText('Your subscription has begun').waitFor()
      await panel.getByText('Starter is paid, and requests can use it now.').waitFor()
      await picture('subscriptions-begun')
      t.strictSame(await findings(page), [])
      await panel.getByRole('link', { name: 'To plans and subscriptions' }).click()
      await card('Starter').getByText('Bought by a payment').waitFor()
    },
  )

  await t.test('a change that costs nothing needs no payment', async (t) => {
    const mine = (await own()).find((one: Wrapped) => one.subscription.title === 'Starter')
    await plan('Small').getByTestId('buy').click()
    await dialog.getByTestId('by-epay').click()
    await dialog.getByTestId(`replaces-${mine.subscription.id}`).click()
    await dialog.getByText('Change now, nothing to pay').click()
    await page.getByText('Your subscription has begun: Small').waitFor()
    await card('Starter').waitFor({ state: 'detached' })
    t.equal(provider.forms.length, 1, 'nothing was paid')
    const titles = (await own()).map(({ subscription }: Wrapped) => subscription.title)
    t.strictSame(titles.sort(), ['Small', 'Small', 'Team', 'Team'])
  })

  await t.test('a plan that was taken off sale meanwhile is said to be gone', async () => {
    expectError(/400/)
    await admin.must('PATCH', `/api/subscription/admin/plans/${starterId}`, { enabled: false })
    await plan('Starter').getByTestId('buy').click()
    await dialog.getByText('There is no such plan.').waitFor()
    await plan('Starter').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('payments that repeat say who collects them and how they are ended', async (t) => {
    await alter(page, '**/api/subscription/plans', ({ data }) => {
      for (const { offers } of data) {
        for (const offer of offers) Object.assign(offer, { recurring: true, test: true })
      }
    })
    await open()
    await plan('Small').getByTestId('buy').click()
    await dialog.getByTestId('by-offline').click()
    await dialog.getByTestId('test-mode').waitFor()
    await dialog.getByTestId('repeats').click()
    await dialog.getByText('Switch renewal off on this page').waitFor()
    await picture('subscriptions-repeats')
    t.strictSame(await findings(page), [])
    const [{ subscription }] = (await own()).filter(
      (one: Wrapped) => one.subscription.title === 'Small' && one.subscription.source === 'order',
    )
    await dialog.getByTestId(`replaces-${subscription.id}`).click()
    await dialog.getByText('cannot be taken off payments that repeat').waitFor()
    t.equal(await dialog.getByTestId('repeats').locator('input').isDisabled(), true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.unrouteAll()
  })

  await t.test('on a phone, in the dark and in Chinese everything is within reach', async (t) => {
    const longId = await make({ ...starter, title: 'Unbroken'.repeat(12), models: [model] })
    const gift = { user_id: userId, plan_id: longId }
    await admin.must('POST', '/api/subscription/admin/bind', gift, await admin.prove('balance'))
    await open()
    await inTheme(page, 'dark')
    await picture('subscriptions-dark')
    t.strictSame(await findings(page, 'colours'), [])
    await page.setViewportSize(phone)
    await open()
    t.equal(await tooWide(page), 0)
    await picture('subscriptions-phone-dark')
    await inTheme(page, 'light')
    await plan('Team').getByTestId('buy').click()
    await dialog.getByTestId('by-offline').click()
    t.equal(await tooWide(page), 0)
    await picture('subscriptions-phone-buy')
    await page.keyboard.press('Escape')
    const chinese = await consoleOf(t, admins.context.browser()!, gateway, {
      ...{ signedIn: false, locale: 'zh-CN', viewport: phone },
    })
    await signIn(chinese.context, url, { username: 'ada', password })
    await chinese.open('/subscriptions')
    await chinese.page.getByRole('heading', { name: '套餐与订阅' }).waitFor()
    t.equal(await tooWide(chinese.page), 0)
    await chinese.picture('subscriptions-phone-zh')
  })
})

interface Wrapped {
  readonly subscription: { readonly id: number; readonly title: string; readonly source: string }
}

/** The caller's subscriptions as the gateway returns them, with something else in each. */
async function withOwn(page: Page, over: object): Promise<void> {
  await alter(page, '**/api/subscription/self', ({ data }) => {
    for (const { subscription } of data.subscriptions) Object.assign(subscription, over)
  })
}
