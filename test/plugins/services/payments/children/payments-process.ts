/**
 * A process that takes callbacks and charges over the database at the address given, so many milliseconds after the usual time of
 * tests, until it is killed. Its provider is its parent: what is to be charged is sent there, and charged once that replies.
 */
import type { Test } from 'tap'
import type { ChargeOrder, RenewalNotice } from '../../../../../kernel/contract/payment.js'
import { openDatabase } from '../../../../../kernel/store/database.js'
import { silentLog } from '../../../../kit/database.js'
import { autoTopupFixture } from '../../auto-topup/auto-topup-fixture.js'
import { chargeNotice, noticeIn } from '../payments-fixture.js'

export type FromParent =
  | { readonly kind: 'report'; readonly event: string; readonly body: string }
  | { readonly kind: 'charge' }
  | { readonly kind: 'taken'; readonly orderNo: string }

export type FromChild =
  | { readonly kind: 'ready' | 'charged' }
  | { readonly kind: 'settled'; readonly event: string; readonly status: number | undefined }
  | { readonly kind: 'take'; readonly orderNo: string }

const [databaseUrl, laterMs] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog })
// It is killed: nothing is ever torn down.
const test = { teardown: () => undefined } as unknown as Test
const { payments, autoTopup, script, clock } = await autoTopupFixture(test, database)
clock.advance(Number(laterMs))
const takes = new Map<string, () => void>()
const send = (message: FromChild) => void process.send!(message)

script.verify = ({ body }) => {
  const notice = noticeIn(body)
  const isRenewal = notice.orderNo === undefined
  if (isRenewal) return { kind: 'renewal', renewal: notice as unknown as RenewalNotice }
  return { kind: 'notice', notice }
}

script.charge = async (order: ChargeOrder) => {
  const { orderNo } = order
  await new Promise<void>((resolve) => {
    takes.set(orderNo, resolve)
    send({ kind: 'take', orderNo })
  })
  return { kind: 'done', notice: chargeNotice(order) }
}

process.on('message', async (message: FromParent) => {
  if (message.kind === 'taken') takes.get(message.orderNo)?.()
  if (message.kind === 'charge') {
    await payments.reconcile()
    await autoTopup.run()
    send({ kind: 'charged' })
  }
  if (message.kind === 'report') {
    const { event, body } = message
    const callback = { method: 'POST', headers: {}, query: '', body: Buffer.from(body) } as const
    const from = { address: '203.0.113.7', requestId: `report ${event}` }
    const reply = await payments.receive('acme', callback, from)
    send({ kind: 'settled', event, status: reply?.status })
  }
})
send({ kind: 'ready' })
