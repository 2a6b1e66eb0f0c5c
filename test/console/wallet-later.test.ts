/**
 * Automatic top-up, receipts and billing details in the console: what a payer allows, sets, sees and takes back, with a
 * gateway that can charge later, on a desk and on a phone; and what admins see of it.
 */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Clock } from '../../kernel/contract/kit.js'
import { systemClock } from '../../kernel/schedule/system-clock.js'
import { management } from '../kit/management.js'
import { alter } from './kit/altered.js'
import { findings } from './kit/axe.js'
import { type Console, consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { type LaterOrder, type LaterProvider, laterProvider } from './kit/later-provider.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const password = 'a long password here'
const roots = [new URL('./later-pay/', import.meta.url)]
const minuteMs = 60_000
const unit = 500_000

/** The system's, and as much later as a test says. */
function movedClock(): Clock & { move(ms: number): void } {
  let ahead = 0
  return {
    now: () => systemClock.now() + ahead,
    monotonic: () => systemClock.monotonic() + ahead,
    after: systemClock.after,
    move(ms) {
      ahead += ms
    },
  }
}

async function offered({ admin, url }: Console['gateway'], { url: address, key }: LaterProvider) {
  await admin.option('ServerAddress', url)
  await admin.option('payment.later.address', address)
  await admin.option('payment.later.key', key)
  await admin.option('payment.offline.enabled', true)
  await admin.option('payment.offline.instructions', 'Write `{order}` as the reason.')
}

/** The order whose page of the provider is open. */
async function orderAtProvider(page: Page, { pages }: LaterProvider): Promise<URLSearchParams> {
  await page.getByRole('heading', { name: 'Later Pay' }).waitFor()
  return pages.at(-1)!.searchParams
}

function paidOrder(query: URLSearchParams): LaterOrder {
  return { orderNo: query.get('order')!, amount: query.get('amount')! }
}

/** Pages of automatic top-up are shown as if the server had returned these as well. */
async function withAuto(page: Page, over: object): Promise<void> {
  await page.unroute('**/api/user/topup/auto')
  await alter(page, '**/api/user/topup/auto', ({ data }) => void Object.assign(data, over))
}

async function savedBy(page: Page, button: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(await download.path())))
  const { text } = await extractText(pdf, { mergePages: true })
  return { name: download.suggestedFilename(), text }
}

async function fill(field: Locator, text: string): Promise<void> {
  await field.locator('input, textarea').first().fill(text)
}

/** Both themes, and nothing cut off sideways. */
async function looksWell(t: Test, { page, picture }: Console, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    t.strictSame(await findings(page, theme === 'light' ? 'whole' : 'colours'), [], theme)
    await picture(`${name}-${theme}`)
  }
  await inTheme(page, 'light')
  t.equal(await tooWide(page), 0, `${name} is too wide`)
}

t.test('a balance is topped up by itself', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const clock = movedClock()
  const admins = await openConsole(t, { roots, clock })
  const { gateway } = admins
  const { admin, url } = gateway
  const provider = await laterProvider(t)
  await offered(gateway, provider)
  const { id: userId } = await admin.must('POST', '/api/user/', { username: 'ada', password })
  const ada = management(url)
  await ada.login('ada', password)
  const payer = await consoleOf(t, admins.context.browser()!, gateway, { signedIn: false })
  await signIn(payer.context, url, { username: 'ada', password })
  const { page, picture, expectError } = payer
  const card = page.getByTestId('auto')
  const dialog = page.getByRole('dialog')
  const auto = () => ada.must('GET', '/api/user/topup/auto')
  const run = () => gateway.gateway.service('auto-topup').run()
  const open = () => payer.open('/wallet')
  let spent = 0
  /** All the wallet holds but for so much, and the minute between two payments passes. */
  async function spend(left: bigint): Promise<void> {
    clock.move(minuteMs + 1_000)
    const key = `spent ${++spent}`
    const amount = left - (await ada.balance())
    const facts = { key, kind: 'admin', requestId: key, note: 'spent' } as const
    await gateway.gateway.service('ledger').post({ ...facts, userId, amount })
  }

  await t.test('at first it is explained, with what has to happen before', async (t) => {
    await open()
    await card.getByText('When your balance falls below an amount you set').waitFor()
    await card.getByText('First buy credit once by Later Pay and check the box').waitFor()
    t.equal(await card.getByTestId('auto-set').count(), 0, 'there is nothing to be set yet')
    t.equal(await card.getByRole('button').count(), 0)
    await looksWell(t, payer, 'auto-begin')
  })

  await t.test('a payer allows later payments only by a box they check themselves', async (t) => {
    const box = page.getByTestId('keep-mandate')
    await page.getByTestId('gateway-offline').click()
    t.equal(await box.count(), 0, 'bank transfer cannot charge later')
    await page.getByTestId('gateway-later').click()
    await box.getByText('Nothing is charged until you set up automatic top-up').waitFor()
    t.equal(await box.getAttribute('aria-checked'), 'false')
    await box.click()
    t.equal(await box.getAttribute('aria-checked'), 'true')
    await page.getByTestId('gateway-offline').click()
    await page.getByTestId('gateway-later').click()
    t.equal(await box.getAttribute('aria-checked'), 'false', 'another choice takes it back')
    await page.getByTestId('preset-10').click()
    await page.getByText('Pay €9.00').waitFor()
    await page.getByTestId('pay').click()
    t.equal((await orderAtProvider(page, provider)).get('keeps'), 'false')

    await open()
    await page.getByTestId('gateway-later').click()
    await page.getByTestId('preset-10').click()
    await box.click()
    await page.getByText('Pay €9.00').waitFor()
    await looksWell(t, payer, 'auto-consent')
    await page.getByTestId('pay').click()
    const query = await orderAtProvider(page, provider)
    t.equal(query.get('keeps'), 'true')
    await page.goto(query.get('back')!)
    await page.getByTestId('order-state').getByText('Waiting for the payment').waitFor()
    t.equal(await provider.report(url, paidOrder(query), { mandate: 'pm_ada' }), 200)
    await page.getByTestId('order-state').getByText('$10.00 of credit was added').waitFor()
    await card.getByText('You have allowed later payments.').waitFor()
    await card
      .getByTestId('mandate-later')
      .getByText('You have allowed Later Pay to charge you since')
      .waitFor()
    t.match(await auto(), { enabled: false, mandates: [{ gateway: 'later' }] })
    await picture('auto-ready')
  })

  await t.test(
    'what is set is checked by the server, and its errors stand at their fields',
    async (t) => {
      expectError(/400/)
      await card.getByTestId('auto-set').click()
      await dialog.getByText('One payment is €9.00 at this time.').waitFor()
      await fill(dialog.getByTestId('auto-cap'), '')
      await dialog.getByTestId('auto-save').click()
      await dialog.getByText('Enter a whole number of units.').waitFor()
      await fill(dialog.getByTestId('auto-cap'), '5')
      await dialog.getByTestId('auto-save').click()
      const field = dialog.locator('.n-form-item').filter({ hasText: 'Most units in a month' })
      await field.getByText('The limit of a month is less than one payment.').waitFor()
      await fill(dialog.getByTestId('auto-cap'), '5000')
      await dialog.getByTestId('auto-save').click()
      await field.getByText('The greatest limit of a month is 1000.').waitFor()
      await looksWell(t, payer, 'auto-fault')
      await fill(dialog.getByTestId('auto-below'), '2.5')
      await fill(dialog.getByTestId('auto-cap'), '25')
      await page.keyboard.press('Tab')
      await dialog.getByText('That is $25.00 of credit in each calendar month').waitFor()
      t.match(await auto(), { enabled: false, amount: 0 }, 'nothing was saved so far')
      await dialog.getByTestId('auto-save').click()
      await page.getByText('Automatic top-up is on.').waitFor()
      await card.getByTestId('auto-head').getByText('On', { exact: true }).waitFor()
      const terms = 'When the balance falls below $2.50, $10.00 of credit is bought, at most $25.00'
      await card.getByTestId('auto-sentence').getByText(terms).waitFor()
      await card.getByTestId('auto-sentence').getByText('One payment is €9.00').waitFor()
      const set = { enabled: true, state: 'on', amount: 10, monthly_cap: 25, gateway: 'later' }
      t.match(await auto(), { ...set, below: 2.5 * unit })
      await looksWell(t, payer, 'auto-on')
    },
  )

  await t.test('a payment is made once the balance is low, and is shown by itself', async (t) => {
    await spend(0n)
    await run()
    t.equal(provider.charges.length, 1)
    await open()
    await card.getByTestId('auto-head').getByText('Payment under way').waitFor()
    const month = card.getByTestId('auto-month')
    await month.getByText('$10.00 of $25.00 used').waitFor()
    t.equal(await month.getByRole('progressbar').getAttribute('aria-valuenow'), '40')
    await picture('auto-charging')
    await provider.report(url, provider.charges[0]!)
    await run()
    await card.getByTestId('auto-head').getByText('On', { exact: true }).waitFor()
    await page.getByTestId('wallet-balance').getByText('$10.00').waitFor()
  })

  await t.test('orders made by it are marked, for their payer and for admins', async (t) => {
    await page.getByRole('link', { name: 'Orders' }).click()
    const orders = page.getByRole('region', { name: 'Orders' })
    await orders.getByText('$10.00 of credit, automatic').waitFor()
    t.equal(await orders.getByText('automatic').count(), 1)
    await picture('wallet-orders-automatic')
    await admins.open('/orders')
    await admins.page.getByText('later (automatic)').waitFor()
    const { orderNo } = provider.charges[0]!
    await admins.page.getByRole('button', { name: `Open order ${orderNo}` }).click()
    await admins.page.getByRole('dialog').getByText('later (automatic)').waitFor()
    t.strictSame(await findings(admins.page), [])
    await admins.picture('order-automatic')
  })

  await t.test(
    'a refusal is shown in the words of the bank, with when it is tried again',
    async () => {
      provider.refuse('The card has expired.')
      await spend(0n)
      await run()
      await open()
      await card.getByTestId('auto-head').getByText('Paused').waitFor()
      const sentence = card.getByTestId('auto-sentence')
      await sentence.getByText(/refused: The card has expired\. It is tried again at \w/).waitFor()
      await picture('auto-refused')
      provider.refuse(undefined)
    },
  )

  await t.test('the page of the provider is a click away', async (t) => {
    await card.getByTestId('auto-portal').click()
    t.equal((await orderAtProvider(page, provider)).get('mandate'), 'pm_ada')
    t.equal(new URL(page.url()).pathname, '/portal')
  })

  await t.test('whatever pauses it is stated in a sentence', async () => {
    const sentence = card.getByTestId('auto-sentence')
    const shows = async (text: string | RegExp, name: string) => {
      await open()
      await sentence.getByText(text).waitFor()
      await picture(`auto-${name}`)
    }
    clock.move(60 * minuteMs)
    await admin.option('payment_setting.auto_topup_enabled', false)
    await shows('not offered at the moment', 'not-offered')
    // What pauses it next is set before what paused it is not: in between the next payment would be made.
    await admin.option('payment.later.enabled', false)
    await admin.option('payment_setting.auto_topup_enabled', true)
    await shows('Later Pay is switched off here.', 'gateway-off')
    await admin.option('payment.later.test', true)
    await admin.option('payment.later.enabled', true)
    await shows('test payments and real ones are kept apart', 'wrong-mode')
    await admin.option('payment_setting.auto_topup_cap_max', 15)
    await admin.option('payment.later.test', false)
    await shows(
      /^The limit of .* no room for another payment.* goes on at \w[^;]*\d\.$/,
      'cap-reached',
    )
    await card.getByTestId('auto-month').getByText('$10.00 of $15.00 used').waitFor()
    await withAuto(page, { monthly_cap_max: 1_000 })
    await shows(/^Your limit of .* or once you raise the limit\.$/, 'cap-own')
    await page.unroute('**/api/user/topup/auto')
    await admin.option('payment_setting.auto_topup_cap_max', 5)
    await shows(
      'One payment is more than may be bought in a month by now, which is $5.00',
      'cap-lowered',
    )
    await withAuto(page, { state: 'paused', reason: 'mandate_ended', mandates: [] })
    await shows('Later Pay may not charge you any more.', 'mandate-ended')
    const words = 'The least amount is 20.'
    await withAuto(page, { state: 'paused', reason: 'wrong_amount', words })
    await shows(`cannot be bought any more. ${words}`, 'wrong-amount')
    const off = { enabled: false, state: 'off' }
    await withAuto(page, { ...off, reason: 'refused', words: 'The card has expired.' })
    await shows(
      'The last payment was refused: The card has expired. Three refusals in a row',
      'off',
    )
    await withAuto(page, {
      mandates: [
        { gateway: 'later', title: 'Later Pay', test: true, portal: true, created_time: 1 },
      ],
    })
    await open()
    await card.getByTestId('mandate-test').getByText('Test mode').waitFor()
    await page.unroute('**/api/user/topup/auto')
  })

  await t.test('it is switched off, even where the greatest limit is less by now', async (t) => {
    await open()
    await card.getByTestId('auto-off').click()
    await dialog.getByText('Nothing more is bought by itself.').waitFor()
    await picture('auto-end')
    t.strictSame(await findings(page), [])
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await card.getByTestId('auto-head').getByText('Off', { exact: true }).waitFor()
    await card.getByText('What you set is kept for the next time.').waitFor()
    t.match(await auto(), {
      enabled: false,
      state: 'off',
      reason: '',
      amount: 10,
      mandates: [{ gateway: 'later' }],
    })
    await admin.option('payment_setting.auto_topup_cap_max', 1_000)
    await open()
    await card.getByRole('button', { name: 'Switch on' }).click()
    await fill(dialog.getByTestId('auto-amount'), '10')
    await fill(dialog.getByTestId('auto-cap'), '40')
    await dialog.getByTestId('auto-save').click()
    await card.getByTestId('auto-head').getByText('On', { exact: true }).waitFor()
    t.match(await auto(), { enabled: true, amount: 10, monthly_cap: 40 })
  })

  await t.test('what was allowed is forgotten after saying what follows', async (t) => {
    await card.getByTestId('auto-forget').click()
    await dialog.getByText('Automatic top-up ends, its settings are deleted').waitFor()
    await picture('auto-forget')
    t.strictSame(await findings(page), [])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    t.match(await auto(), { enabled: true }, 'nothing happened')
    await card.getByTestId('auto-forget').click()
    await dialog.getByRole('button', { name: 'Forget permission' }).click()
    await card.getByText('First buy credit once by Later Pay').waitFor()
    t.match(await auto(), { enabled: false, gateway: '', mandates: [] })
    t.equal(await card.getByRole('button').count(), 0)
  })

  await t.test('where nobody can be charged later nothing is said of it', async (t) => {
    await admin.option('payment.later.enabled', false)
    await open()
    await page.getByTestId('amount').waitFor()
    await page.getByTestId('to-invitations').waitFor()
    t.equal(await card.count(), 0)
    await admin.option('payment.later.enabled', true)
    await admin.option('payment_setting.auto_topup_enabled', false)
    await open()
    await page.getByTestId('gateway-later').waitFor()
    t.equal(await card.count(), 0)
    t.equal(await page.getByTestId('keep-mandate').count(), 0)
    await admin.option('payment_setting.auto_topup_enabled', true)
  })

  await t.test('on a phone, in Chinese', async (t) => {
    const chinese = await consoleOf(t, admins.context.browser()!, gateway, {
      ...{ signedIn: false, locale: 'zh-CN', viewport: phone },
    })
    await signIn(chinese.context, url, { username: 'ada', password })
    const { page } = chinese
    await chinese.open('/wallet')
    await page.getByTestId('gateway-later').click()
    await page.getByTestId('keep-mandate').click()
    await page.getByTestId('auto').getByText('请先通过 Later Pay 购买一次额度').waitFor()
    await page.getByText('支付 €9.00').waitFor()
    await looksWell(t, chinese, 'auto-phone-begin')
    await page.getByTestId('pay').click()
    const query = await orderAtProvider(page, provider)
    await provider.report(url, paidOrder(query), { mandate: 'pm_ada_2' })
    await page.goto(query.get('back')!)
    await page.getByTestId('auto').getByText('您已允许以后扣款。').waitFor()
    await page.getByTestId('auto-set').click()
    await page.getByRole('dialog').getByText('目前每次付款').waitFor()
    await looksWell(t, chinese, 'auto-phone-dialog')
    await page.getByTestId('auto-save').click()
    await page.getByTestId('auto-head').getByText('已开启').waitFor()
    await looksWell(t, chinese, 'auto-phone-on')
  })
})

t.test('paid orders have receipts', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  const admins = await openConsole(t, { roots })
  const { gateway } = admins
  const { admin, url } = gateway
  const provider = await laterProvider(t)
  await offered(gateway, provider)
  const { id: userId } = await admin.must('POST', '/api/user/', { username: 'ada', password })
  const ada = management(url)
  await ada.login('ada', password)
  const payer = await consoleOf(t, admins.context.browser()!, gateway, { signedIn: false })
  await signIn(payer.context, url, { username: 'ada', password })
  const { page, picture, expectError } = payer
  const orders = page.getByRole('region', { name: 'Orders' })
  const billing = page.getByTestId('billing')

  async function order(): Promise<LaterOrder> {
    const body = { gateway: 'later', amount: 10 }
    const { order } = await ada.must('POST', '/api/user/topup/order', body)
    return { orderNo: order.trade_no, amount: String(order.amount_minor) }
  }
  async function paid(): Promise<LaterOrder> {
    const made = await order()
    t.equal(await provider.report(url, made), 200)
    return made
  }
  const receipt = (at: Page, { orderNo }: LaterOrder) =>
    at.getByRole('button', { name: `Receipt of order ${orderNo}` })

  const first = await paid()
  const waiting = await order()

  await t.test('where none are issued nothing is said of them', async (t) => {
    await payer.open('/wallet/orders')
    await orders.getByText(first.orderNo).waitFor()
    t.equal(await page.getByTestId('receipt').count(), 0)
    t.equal(await orders.getByText('Receipt').count(), 0)
    t.equal(await billing.count(), 0)
    await payer.open(`/wallet?order=${first.orderNo}`)
    await page.getByTestId('order-state').getByText('$10.00 of credit was added').waitFor()
    t.equal(await page.getByTestId('receipt').count(), 0)
    await admins.open('/orders/receipts')
    await admins.page.getByTestId('receipts-off').getByRole('link').waitFor()
    await admins.page.getByText('No receipts yet').waitFor()
    await looksWell(t, admins, 'receipts-off')
    await admins.open(`/orders?keyword=${first.orderNo}`)
    await admins.page.getByRole('button', { name: `Open order ${first.orderNo}` }).click()
    await admins.page.getByText('Paid and credited').waitFor()
    t.equal(await admins.page.getByTestId('receipt').count(), 0)
  })

  await admin.option('payment_setting.receipt_prefix', 'INV-')
  await admin.option('payment_setting.receipt_seller_name', 'Acme Relay GmbH')

  await t.test('the list and the panel of an order save the receipt of this order', async (t) => {
    await payer.open('/wallet/orders')
    const { name, text } = await savedBy(page, receipt(page, first))
    t.equal(name, 'receipt-INV-000001.pdf')
    for (const part of [first.orderNo, 'Acme Relay GmbH', 'ada']) t.match(text, part)
    t.equal(await receipt(page, waiting).count(), 0, 'it is not paid')
    await looksWell(t, payer, 'wallet-orders')
    await payer.open(`/wallet?order=${first.orderNo}`)
    const again = await savedBy(page, page.getByTestId('order-state').getByTestId('receipt'))
    t.equal(again.name, name)
    t.match(again.text, first.orderNo)
    await looksWell(t, payer, 'wallet-order-paid')
    await payer.open(`/wallet?order=${waiting.orderNo}`)
    await page.getByTestId('order-state').getByText('Waiting for the payment').waitFor()
    t.equal(await page.getByTestId('receipt').count(), 0)
  })

  await t.test(
    'who receipts are made out to is set, and faults stand at their fields',
    async (t) => {
      expectError(/400/)
      await payer.open('/wallet/orders')
      await billing
        .getByText('Receipts that were issued already keep the details they have')
        .waitFor()
      await fill(page.getByTestId('billing-name'), 'Analytical Engines Ltd.')
      await fill(page.getByTestId('billing-address'), 'a\nb\nc\nd\ne\nf\ng\nh\ni')
      await page.getByTestId('save-billing').click()
      const field = billing.locator('.n-form-item').filter({ hasText: 'Address' })
      await field.getByText('address must have at most 8 lines.').waitFor()
      await looksWell(t, payer, 'billing-fault')
      await fill(page.getByTestId('billing-address'), ' Dorset Street 1\nLondon ')
      await fill(page.getByTestId('billing-tax-id'), 'GB123')
      await page.getByTestId('save-billing').click()
      await page.getByText('Saved.').waitFor()
      const address = page.getByTestId('billing-address').locator('textarea')
      t.equal(await address.inputValue(), 'Dorset Street 1\nLondon', 'as it is kept')
      t.ok(await page.getByTestId('save-billing').isDisabled())
      const next = await paid()
      await payer.open('/wallet/orders')
      const { text } = await savedBy(page, receipt(page, next))
      for (const part of ['Analytical Engines Ltd.', 'Dorset Street 1', 'GB123'])
        t.match(text, part)
      const before = await savedBy(page, receipt(page, first))
      t.notMatch(before.text, 'Analytical Engines', 'what was issued keeps what it had')
    },
  )

  await t.test('a refusal is shown as a sentence, and no file is saved', async (t) => {
    expectError(/409/)
    const unissued = await paid()
    await admin.option('payment_setting.receipt_enabled', false)
    // The page has not noticed yet.
    await alter(page, '**/api/user/billing', ({ data }) => {
      data.receipts = true
    })
    await payer.open('/wallet/orders')
    let saved = 0
    page.on('download', () => saved++)
    await receipt(page, unissued).click()
    await page.getByText('Receipts are switched off').first().waitFor()
    await picture('receipt-refused')
    t.equal(saved, 0)
    await page.unroute('**/api/user/billing')
    await admin.option('payment_setting.receipt_enabled', true)
    // In place of the file comes a page, as of a proxy.
    await page.route('**/receipt', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' }),
    )
    await receipt(page, unissued).click()
    await page.getByText('The gateway did not return a file.').first().waitFor()
    t.equal(saved, 0)
    await page.unroute('**/receipt')
  })

  await t.test('a refunded order keeps its receipt, which says what was paid back', async (t) => {
    const refunded = await paid()
    const { orderNo } = refunded
    const facts = { state: 'refunded', event: `refunded ${orderNo}` }
    t.equal(await provider.report(url, refunded, facts), 200)
    await payer.open('/wallet/orders')
    await orders.getByText('Refunded').waitFor()
    const { text } = await savedBy(page, receipt(page, refunded))
    t.match(text, orderNo)
    await payer.open(`/wallet?order=${orderNo}`)
    await page.getByTestId('order-state').getByTestId('receipt').waitFor()
    await picture('wallet-order-refunded')
  })

  await t.test('admins see what was issued, and save that of anybody', async (t) => {
    const { page } = admins
    await admins.open('/orders/receipts')
    const list = page.getByRole('region', { name: 'Receipts' })
    await list.getByText('INV-000001', { exact: true }).waitFor()
    await list.getByText('Analytical Engines Ltd.').first().waitFor()
    await list
      .getByRole('link', { name: `#${userId}` })
      .first()
      .waitFor()
    await looksWell(t, admins, 'receipts')
    t.match((await savedBy(page, receipt(page, first))).text, first.orderNo)
    await page.getByRole('search').locator('input').first().fill('INV-000001')
    await page.getByText('1 in all').waitFor()
    await list.getByRole('link', { name: first.orderNo }).click()
    await page.getByRole('button', { name: `Open order ${first.orderNo}` }).click()
    const drawer = page.getByRole('dialog')
    const saved = await savedBy(page, drawer.getByTestId('receipt'))
    t.equal(saved.name, 'receipt-INV-000001.pdf')
    await looksWell(t, admins, 'order-receipt')
  })

  await t.test('on a phone, in Chinese, everything is within reach', async (t) => {
    const chinese = await consoleOf(t, admins.context.browser()!, gateway, {
      ...{ signedIn: false, locale: 'zh-CN', viewport: phone },
    })
    await signIn(chinese.context, url, { username: 'ada', password })
    await chinese.open('/wallet')
    await chinese.page.getByRole('link', { name: '订单' }).click()
    await chinese.page.getByTestId('billing').getByText('已开具的收据保留原有信息').waitFor()
    await looksWell(t, chinese, 'wallet-orders-phone')
    const button = chinese.page.getByRole('button', { name: `订单 ${first.orderNo} 的收据` })
    t.match((await savedBy(chinese.page, button)).text, first.orderNo)
    await admins.page.setViewportSize(phone)
    await admins.open('/orders/receipts')
    await admins.page.getByText('INV-000001').waitFor()
    await looksWell(t, admins, 'receipts-phone')
    const reachable = await admins.page.getByTestId('receipt').first().boundingBox()
    t.ok(reachable && reachable.x + reachable.width <= phone.width, 'the receipt is within reach')
  })
})
