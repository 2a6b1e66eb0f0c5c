/** Payments as providers and payers meet them: real processes, callbacks by HTTP, death in the middle. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { databaseKind } from '../kit/database.js'
import { type Management, management } from '../kit/management.js'
import { installation, ledgerCheck, startProcess, type Variables } from '../kit/process.js'
import { startPair } from './kit/pair.js'

t.setTimeout(240_000)

const key = 'the key of the merchant'
const unit = 500_000

/** As Epay signs: sorted, joined, the key behind it. */
function signed(fields: Readonly<Record<string, string>>): string {
  const text = Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const sign = createHash('md5')
    .update(text + key)
    .digest('hex')
  return new URLSearchParams({ ...fields, sign, sign_type: 'MD5' }).toString()
}

const paidFields = (orderNo: string, over: Readonly<Record<string, string>> = {}) => ({
  ...{ pid: '1001', trade_no: `t${orderNo}`, out_trade_no: orderNo, type: 'alipay' },
  ...{ name: '10 units of credit', money: '73.00', trade_status: 'TRADE_SUCCESS', ...over },
})

const noLimits = {
  ...{ GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' },
  CRITICAL_ROUTE_RATE_LIMIT_ENABLE: 'false',
}

async function furnish(url: string): Promise<Management> {
  const admin = management(url)
  await admin.setUp()
  const options = {
    ...{ ServerAddress: 'https://gate.example', PayAddress: 'https://pay.example' },
    ...{ EpayId: '1001', EpayKey: key, 'payment_setting.orders_open_max': '1000' },
  }
  for (const [name, value] of Object.entries(options)) await admin.option(name, value)
  return admin
}

async function order(admin: Management): Promise<string> {
  const form = { gateway: 'epay', amount: 10, payment_method: 'alipay' }
  return (await admin.must('POST', '/api/user/topup/order', form)).order.trade_no
}

/** Status and text; undefined where the process is gone. */
async function callback(url: string, query: string, method = 'GET') {
  try {
    const isGet = method === 'GET'
    const address = `${url}/api/payment/epay/callback${isGet ? `?${query}` : ''}`
    const body = isGet ? undefined : query
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(address, { method, headers: isGet ? {} : headers, body })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  }
}

async function credited(admin: Management): Promise<number> {
  return Number(await admin.balance()) / unit
}

t.test(
  '[PAY-5] an order of a payer is credited by its callback, as form or in the address',
  async (t) => {
    const place = { ...(await installation(t)), ...noLimits }
    const { url } = await startProcess(t, place)
    const admin = await furnish(url)
    const one = await order(admin)
    const reply = await callback(url, signed(paidFields(one)))
    t.strictSame(reply, { status: 200, text: 'success' })
    const other = await order(admin)
    t.match(await callback(url, signed(paidFields(other)), 'POST'), {
      status: 200,
      text: 'success',
    })
    t.equal(await credited(admin), 20)
    const { items } = await admin.must('GET', '/api/user/topup/self')
    t.match(items, [
      { trade_no: other, status: 'success' },
      { trade_no: one, money: '73.00' },
    ])
    const info = await admin.must('GET', '/api/user/topup/info')
    t.match(info.gateways, [{ name: 'epay', methods: [{ id: 'alipay' }, { id: 'wxpay' }] }])

    await t.test('[PAY-2] what is not genuine, or does not fit, credits nothing', async (t) => {
      const left = await order(admin)
      const rows = [
        [signed(paidFields(left, { money: '72.99' })), 200],
        [signed(paidFields(left, { money: '73.01' })), 200],
        [signed(paidFields(left)).replace('73.00', '73.01'), 400],
        [new URLSearchParams(paidFields(left)).toString(), 400],
        ['', 400],
        [signed(paidFields('0'.repeat(32))), 500],
      ] as const
      for (const [query, status] of rows) t.match(await callback(url, query), { status }, query)
      const large = await callback(url, 'x'.repeat(1024 * 1024), 'POST')
      t.equal(large?.status, 413)
      t.equal(await credited(admin), 20)
      const events = await admin.must('GET', `/api/user/topup/${left}/events`)
      t.strictSame(
        events.map(({ verdict, times }: { verdict: string; times: number }) => [verdict, times]),
        [['wrong_amount', 2]],
      )
    })

    await t.test('[PAY-2] without its key a gateway takes no callback', async (t) => {
      const left = await order(admin)
      await admin.must('PUT', '/api/option/', { key: 'EpayKey', value: null })
      t.match(await callback(url, signed(paidFields(left))), { status: 404 })
      const refused = await admin.call('POST', '/api/user/topup/order', {
        gateway: 'epay',
        amount: 1,
      })
      t.match(refused, { status: 400, body: { field: 'gateway' } })
      await admin.option('EpayKey', key)
      t.match(await callback(url, signed(paidFields(left))), { status: 200 })
      t.equal(await credited(admin), 30)
    })
  },
)

t.test('[PAY-5] a gateway killed among callbacks credits each order once', async (t) => {
  const place: Variables = { ...(await installation(t)), ...noLimits }
  const first = await startProcess(t, place)
  const admin = await furnish(first.url)
  const orders: string[] = []
  for (let made = 0; made < 40; made++) orders.push(await order(admin))
  const queries = orders.map((orderNo) => signed(paidFields(orderNo)))
  let replies = 0
  const early = queries.map(async (query) => {
    const reply = await callback(first.url, query)
    // In the middle of them.
    if (++replies === 10) void first.end('SIGKILL')
    return reply?.status
  })
  const statuses = await Promise.all(early)
  t.ok(statuses.includes(undefined), 'some callbacks were cut off')
  await first.end('SIGKILL')
  const second = await startProcess(t, place)
  for (const query of queries) {
    t.match(await callback(second.url, query), { status: 200, text: 'success' })
  }
  const again = management(second.url)
  await again.login('root', 'correct horse battery')
  t.equal(await credited(again), 400)
  await second.end('SIGTERM')
  t.equal((await ledgerCheck(place)).code, 0)
})

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'

t.test(
  '[PAY-5] two gateways, one database: 64 callbacks at a time, 100 orders, 100 credits',
  { skip },
  async (t) => {
    const { a, b, rows } = await startPair(t)
    const admin = await furnish(a.url)
    const orders: string[] = []
    for (let made = 0; made < 100; made++) orders.push(await order(admin))
    const replays = orders.flatMap((orderNo) => {
      const query = signed(paidFields(orderNo))
      return Array.from({ length: 8 }, (_, at) => [at % 2 === 0 ? a.url : b.url, query] as const)
    })
    const statuses = new Map<number | undefined, number>()
    const queue = replays[Symbol.iterator]()
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (const [url, query] of queue) {
          const status = (await callback(url, query))?.status
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    t.strictSame([...statuses.keys()], [200])
    t.equal(await credited(admin), 1000)
    const [{ count }] = (await rows(
      "SELECT count(*)::int AS count FROM transfers WHERE kind = 'topup'",
    )) as [{ count: number }]
    t.equal(count, 100)
    t.match(await admin.must('POST', '/api/ledger/check', {}), { invariants: [] })
  },
)
