/** Pages that show orders follow them by themselves: those of the payer and of admins, with a live line and without. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { epayProvider, offerPayments, signed } from './kit/epay.js'

const password = 'a long password here'
/** Longer than an order is waited for at first without a line, and shorter than a line goes without a beat. */
const longMs = 12_000

t.test('orders are followed', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  const admins = await openConsole(t)
  const { gateway } = admins
  const { admin } = gateway
  const provider = await epayProvider(t)
  await admin.option('ServerAddress', gateway.url)
  await offerPayments(gateway, provider.url)
  const browser = admins.context.browser()!

  async function payer(username: string) {
    await admin.must('POST', '/api/user/', { username, password })
    const own = await consoleOf(t, browser, gateway, { signedIn: false })
    await signIn(own.context, gateway.url, { username, password })
    return own
  }
  type Payer = Awaited<ReturnType<typeof payer>>

  async function order({ context }: Payer): Promise<string> {
    const headers = { 'Idempotency-Key': crypto.randomUUID(), origin: gateway.url }
    const data = { gateway: 'epay', amount: 10, payment_method: 'alipay' }
    const made = await context.request.post(`${gateway.url}/api/user/topup/order`, {
      ...{ headers, data },
    })
    return (await made.json()).data.order.trade_no
  }

  async function pay(orderNo: string): Promise<void> {
    const report = signed({
      ...{ pid: '1001', trade_no: `ep-${orderNo}`, out_trade_no: orderNo, type: 'alipay' },
      ...{ name: 'credit', money: '70.00', trade_status: 'TRADE_SUCCESS' },
    })
    const reply = await fetch(`${gateway.url}/api/payment/epay/callback?${report}`)
    t.equal(await reply.text(), 'success')
  }

  const row = (page: Page, state: string) =>
    page.getByRole('row').filter({ hasText: '70.00' }).getByText(state, { exact: true })

  const ada = await payer('ada')
  const bob = await payer('bob')

  await t.test('by their payer and by admins, from the order to its credit', async (t) => {
    const reads: string[] = []
    bob.page.on('request', (request) => {
      if (request.url().includes('/api/user/topup/self')) reads.push(request.url())
    })
    const news = heard(bob.page)
    for (const one of [ada, bob]) await listening(one, '/wallet/orders', '/live/orders')
    await listening(admins, '/orders', '/live/changes/orders')
    const before = reads.length
    const orderNo = await order(ada)
    await row(ada.page, 'Waiting').waitFor()
    await admins.page.getByRole('button', { name: `Open order ${orderNo}` }).click()
    await admins.page.getByText('Nothing was reported yet.').waitFor()
    await pay(orderNo)
    await row(ada.page, 'Paid').waitFor()
    await ada.page.locator('[data-test=balance]').getByText('$10.00').waitFor()
    await admins.page.getByTestId('event-credited').waitFor()
    t.equal(reads.length, before, 'pages of others read nothing')
    t.notOk(news.includes('/live/orders'), 'and hear nothing')
  })

  await t.test('with a line nothing is read until something happens', async (t) => {
    const orderNo = await order(ada)
    await ada.page.clock.install()
    await listening(ada, `/wallet?order=${orderNo}`, '/live/orders')
    const state = ada.page.getByTestId('order-state')
    await state.getByText('Waiting for the payment').waitFor()
    // What it began to read before there was a line is over with this.
    const read = ada.page.waitForResponse((response) => response.url().includes(orderNo))
    await ada.page.getByTestId('order-state').getByRole('button', { name: 'Refresh' }).click()
    await read
    let reads = 0
    ada.page.on('request', (request) => {
      if (request.url().includes('/api/user/topup/self')) reads += 1
    })
    await ada.page.clock.fastForward(longMs)
    t.equal(reads, 0)
    await pay(orderNo)
    await state.getByText('$10.00 of credit was added').waitFor()
  })

  await t.test('without a line they are read now and then', async () => {
    const orderNo = await order(bob)
    await bob.page.routeWebSocket('**/live', (socket) => void socket.close({ code: 1001 }))
    await bob.page.clock.install()
    await bob.open('/wallet/orders')
    await row(bob.page, 'Waiting').waitFor()
    await pay(orderNo)
    await bob.page.clock.fastForward(30_000)
    await row(bob.page, 'Paid').waitFor()
  })
})

/** Paths of which the page was notified. */
function heard(page: Page): string[] {
  const paths: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { type, path } = JSON.parse(String(payload))
      if (type === 'pub') paths.push(path)
    }),
  )
  return paths
}

/** The page is open, and the gateway has admitted it to this topic. */
async function listening(
  { page, open }: Pick<Awaited<ReturnType<typeof consoleOf>>, 'page' | 'open'>,
  path: string,
  topic: string,
): Promise<void> {
  const admitted = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const frame = JSON.parse(String(payload))
        if (frame.type === 'sub' && frame.path === topic) resolve()
      }),
    )
  })
  await open(path)
  await admitted
}
