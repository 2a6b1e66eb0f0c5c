/** Buying credit in the console: by bank transfer and by a form at a provider, on a desk and on a phone; what admins see and do of it. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { epayProvider, offerPayments, signed } from './kit/epay.js'
import { until } from './kit/guests.js'
import { phone, tooWide } from './kit/look.js'

const password = 'a long password here'

async function proveByPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'Is it really you?' })
  await dialog.locator('input[type=password]').fill(root.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}

t.test('credit is bought and sold', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  const admins = await openConsole(t)
  const { gateway } = admins
  const { admin } = gateway
  // The proof that completing an order requires.
  admins.expectError(/403/)
  const provider = await epayProvider(t)

  await t.test('with no way to pay the wallet says so', async (t) => {
    await admins.open('/wallet')
    await admins.page.getByText('Credit cannot be bought here').waitFor()
    t.strictSame(await findings(admins.page), [])
    await admins.open('/wallet/orders')
    await admins.page.getByText('No orders yet').waitFor()
    t.strictSame(await findings(admins.page), [])
  })

  await admin.option('ServerAddress', gateway.url)
  await offerPayments(gateway, provider.url)
  await admin.must('POST', '/api/user/', { username: 'ada', password })
  const browser = admins.context.browser()!
  const payer = await consoleOf(t, browser, gateway, { signedIn: false })
  await signIn(payer.context, gateway.url, { username: 'ada', password })
  const { page } = payer

  await t.test('bank transfer: instructions, then the page waits for the admin', async (t) => {
    await payer.open('/wallet')
    await page.getByTestId('gateway-offline').click()
    await page.getByTestId('preset-50').click()
    await page.getByText('Pay $50.00').waitFor()
    await payer.picture('wallet')
    t.strictSame(await findings(page), [])
    await page.getByTestId('pay').click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Pay $50.00' })
    await dialog.getByText('50.00 USD').waitFor()
    await payer.picture('wallet-instructions')
    await dialog.getByTestId('paid').click()
    await page.getByTestId('order-state').getByText('Waiting for the payment').waitFor()
    t.match(page.url(), /\/wallet\?order=[0-9a-zA-Z]{20,40}$/)
    await payer.picture('wallet-waiting')
  })

  await t.test(
    'an admin finds the order and marks it as paid, with a reason and a proof',
    async (t) => {
      const tradeNo = new URL(page.url()).searchParams.get('order')!
      await admins.open('/orders')
      await admins.page.getByRole('button', { name: `Open order ${tradeNo}` }).click()
      await admins.page.getByText('Nothing was reported yet.').waitFor()
      await admins.page.getByTestId('complete').click()
      await admins.page.getByTestId('complete-now').click()
      await admins.page.getByText('Give a reason.').waitFor()
      await admins.page
        .getByTestId('reason')
        .locator('input')
        .fill('Seen on the statement of May 3')
      await admins.picture('order-complete')
      t.strictSame(await findings(admins.page), [])
      await admins.page.getByTestId('complete-now').click()
      await proveByPassword(admins.page)
      await admins.page.getByText('The order is paid, and its credit was added.').waitFor()
      await admins.page.getByTestId('event-credited').waitFor()
      await admins.picture('order-completed')
    },
  )

  await t.test('the wallet shows the order as paid by itself, and the credit', async (t) => {
    await page.getByTestId('order-state').getByText('$50.00 of credit was added').waitFor()
    await page.getByTestId('wallet-balance').getByText('$50.00').waitFor()
    await page.getByTestId('order-state').getByRole('button', { name: 'Close' }).click()
    await page.getByTestId('order-state').waitFor({ state: 'detached' })
    t.equal(new URL(page.url()).search, '')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('region', { name: 'Orders' }).getByText('Paid', { exact: true }).waitFor()
  })

  await t.test('a form is posted to the provider, which may lead on to another host', async (t) => {
    await payer.open('/wallet')
    await page.getByTestId('gateway-epay').click()
    await page.getByTestId('preset-10').click()
    await page.getByText('Pay CN¥70.00').waitFor()
    await page.getByTestId('pay').click()
    await page.getByRole('heading', { name: 'Cashier' }).waitFor()
    const [form] = provider.forms
    t.match(form, { pid: '1001', type: 'alipay', money: '70.00' })
    t.match(form!.return_url, /\/wallet\?order=/)
    await page.goto(form!.return_url!)
    await page.getByTestId('order-state').getByText('Waiting for the payment').waitFor()
    const report = signed({
      ...{ pid: '1001', trade_no: 'ep-1', out_trade_no: form!.out_trade_no!, type: 'alipay' },
      ...{ name: 'credit', money: '70.00', trade_status: 'TRADE_SUCCESS' },
    })
    const answer = await fetch(`${gateway.url}/api/payment/epay/callback?${report}`)
    t.equal(await answer.text(), 'success')
    await page.getByTestId('order-state').getByText('$10.00 of credit was added').waitFor()
  })

  await t.test('on a phone everything is within reach', async (t) => {
    await page.setViewportSize(phone)
    await payer.open('/wallet')
    await page.getByTestId('gateway-offline').click()
    await page.getByTestId('preset-20').click()
    t.equal(await tooWide(page), 0)
    await payer.picture('wallet-phone')
    await page.getByTestId('pay').click()
    await page.getByTestId('paid').click()
    await page.getByTestId('order-state').getByText('Waiting for the payment').waitFor()
    t.equal(await tooWide(page), 0)
  })

  await t.test('revenue adds up by currency, gateways show their addresses', async (t) => {
    const { open, picture } = admins
    await open('/orders/revenue')
    const sums = admins.page.getByTestId('sum')
    await sums.first().waitFor()
    t.match(await sums.allInnerTexts(), [/CNY.*CN¥70\.00/s, /USD.*\$50\.00/s])
    await picture('revenue')
    t.strictSame(await findings(admins.page), [])
    await open('/orders/gateways')
    const epay = admins.page.getByTestId('gateway-epay')
    await epay.getByText(`${gateway.url}/api/payment/epay/callback`).waitFor()
    await epay.getByText(/^Last report: .*Paid and credited/).waitFor()
    await epay.getByTestId('test-callback').click()
    await epay
      .getByTestId('probe')
      .getByText(/^The address leads to this gateway/)
      .waitFor()
    await admins.page.getByTestId('gateway-stripe').getByText('Not set up').waitFor()
    await picture('gateways')
    t.strictSame(await findings(admins.page), [])
  })

  await t.test('root makes codes, and who has one redeems it once', async (t) => {
    const { open, picture } = admins
    await open('/redemption')
    await admins.page.getByTestId('new').click()
    await admins.page.getByTestId('name').locator('input').fill('Spring')
    await admins.page.getByTestId('total').getByText('$10.00').waitFor()
    await picture('codes-new')
    t.strictSame(await findings(admins.page), [])
    await admins.page.getByTestId('create').click()
    await proveByPassword(admins.page)
    const code = (
      await admins.page.getByTestId('codes').locator('code, pre').first().innerText()
    ).trim()
    t.match(code, /^[0-9a-f]{32}$/)
    await admins.page.getByTestId('done').click()
    await admins.page.getByText(code).waitFor()
    await picture('codes')
    t.strictSame(await findings(admins.page), [])

    payer.expectError(/400/)
    await payer.open('/wallet')
    await page.getByTestId('code').locator('input').fill(code)
    await page.getByTestId('redeem').click()
    await page.getByText('$10.00 of credit was added to your balance.').first().waitFor()
    // The form is emptied once the balance was read again.
    const typed = page.getByTestId('code').locator('input')
    await until(async () => (await typed.inputValue()) === '')
    await page.getByTestId('code').locator('input').fill(code)
    await page.getByTestId('redeem').click()
    await page.getByText('This code cannot be redeemed').waitFor()
    await payer.picture('wallet-redeem-phone')
  })

  await t.test('an order of somebody else, and one that is none, is not found', async () => {
    await admins.open(`/wallet?order=${'0'.repeat(32)}`)
    await admins.page.getByText('There is no order of yours with this number.').waitFor()
  })
})
