/** The thread that makes receipts: there while it is wanted, and nothing of it afterwards. */
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { documentOf } from '../../../../plugins/services/receipts/document.js'
import type { Receipt } from '../../../../plugins/services/receipts/index.js'
import { createPrinter, type Printer } from '../../../../plugins/services/receipts/pdf/printer.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog } from '../../../kit/database.js'

const pinned: Receipt = {
  ...{ series: 'paid', number: 1n, label: 'R-000001', orderNo: 'a1'.repeat(16), userId: 7 },
  ...{ issuedAt: new Date(0), paidAt: new Date(0), paidBy: '支付宝', amountMinor: 7000n },
  ...{ currency: 'CNY', taxNote: '本收据不含增值税。' },
  lines: [{ title: '专业版', detail: '', amountMinor: 7000n }],
  seller: { name: '北京某某科技有限公司', address: '中关村', taxId: '', contact: '', note: '' },
  buyer: { name: '王喆', address: '上海市', taxId: '', account: 'wang' },
}
const receipt = documentOf(pinned, [])
const ascii = { name: 'Ada', address: 'Street 1', taxId: '', account: 'ada' }
const latin = documentOf(
  {
    ...{ ...pinned, paidBy: 'Acme Pay', taxNote: '', buyer: ascii },
    ...{ lines: [], seller: { ...ascii, contact: '', note: '' } },
  },
  [],
)

const clock = new FakeClock()
const printer = (log = silentLog): Printer => {
  const made = createPrinter({ clock, log })
  t.teardown(() => made.stop())
  return made
}

const threads: Worker[] = []
process.on('worker', (thread) => void threads.push(thread))

t.test('no thread runs before a receipt is wanted, and none once nobody wants one', async (t) => {
  const own = printer()
  t.equal(threads.length, 0)
  t.match((await own.print(receipt)).subarray(0, 5).toString(), '%PDF-')
  clock.advance(29_000)
  await own.print(receipt)
  clock.advance(29_000)
  await own.print(receipt)
  t.equal(threads.length, 1, 'one is enough while there is work')
  const ended = once(threads[0]!, 'exit')
  clock.advance(30_000)
  await ended
  t.equal(clock.pending, 0)
  await own.print(receipt)
  t.equal(threads.length, 2)
  const stopped = once(threads[1]!, 'exit')
  await own.stop()
  await stopped
  t.equal(clock.pending, 0)
})

t.test('too many at once are refused, and the others are made', async (t) => {
  const own = printer()
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => own.print(receipt)))
  const refused = all.filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 8)
  t.match(refused[0], { reason: { code: 'rate_limit_exceeded', headers: { 'retry-after': '5' } } })
  t.ok(await own.print(receipt))
  await own.stop()
})

t.test('what cannot be made is an error, and the next receipt is made', async (t) => {
  const own = printer()
  const broken = { ...receipt, lines: [{ title: 1 }] } as unknown as typeof receipt
  await t.rejects(own.print(broken), /could not be made/)
  t.ok(await own.print(receipt))
  await own.stop()
})

t.test('a receipt that takes too long is given up, and its thread with it', async (t) => {
  const own = printer()
  const late = t.rejects(own.print(receipt), /has ended/)
  clock.advance(15_000)
  await late
  t.ok(await own.print(receipt))
  await own.stop()
})

t.test('200 receipts in a row take no more memory than 50', async (t) => {
  const own = printer()
  const megabytes = async () => {
    await turn()
    return process.memoryUsage().rss / 1024 / 1024
  }
  // Of every language: those without Chinese are made faster.
  const print = (made: number) => own.print(made % 5 === 0 ? receipt : latin)
  for (let made = 0; made < 50; made++) await print(made)
  const before = await megabytes()
  for (let made = 50; made < 200; made++) await print(made)
  const grown = (await megabytes()) - before
  t.comment(`grown by ${grown.toFixed(0)} MB`)
  t.ok(grown < 60, `${grown} MB`)
  await own.stop()
})
