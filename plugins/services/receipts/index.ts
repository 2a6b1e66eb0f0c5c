/** Receipts of paid orders, as PDF: numbered when they are wanted first, and pinned by then. */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PaymentOrder } from '../payments/index.js'
import { billingOf, keepBilling } from './billing.js'
import { documentOf } from './document.js'
import { type Issued, issued } from './issuing.js'
import { ruleOptions } from './option-rules.js'
import { paidBackOf } from './paid-back.js'
import { createPrinter } from './pdf/printer.js'
import type { PrintRequest, Receipts } from './receipts.js'
import { receiptOf, receiptPage } from './rows.js'
import { reasonOff, sellerOf } from './seller.js'

export type * from './receipts.js'

export default function create({
  services,
  settings,
  clock,
  log,
}: Kit<'database' | 'options' | 'payments'>): Receipts & Life {
  const { options, payments } = services
  const { knex } = services.database
  const printer = createPrinter({ clock, log })
  ruleOptions(options)

  async function orderOf({ orderNo, userId }: PrintRequest): Promise<PaymentOrder> {
    const { items } = await payments.orders({ search: orderNo, userId, offset: 0, limit: 2 })
    const order = items.find((one) => one.orderNo === orderNo)
    if (order !== undefined) return order
    throw new Refusal('gone_missing', { what: 'order', param: 'trade_no' })
  }

  async function issuedOf(order: PaymentOrder): Promise<Issued> {
    const known = await receiptOf(knex, order.orderNo)
    if (known !== undefined) return { receipt: known, isNew: false }
    const reason = reasonOff(settings)
    if (reason !== undefined) throw new Refusal('conflict', { reason })
    const { gateway } = order
    const named = payments.gatewayStates().find(({ name }) => name === gateway)
    return issued(knex, {
      ...{ order, paidBy: named?.title ?? gateway, seller: sellerOf(settings) },
      prefix: settings.string('prefix'),
      taxNote: settings.string('taxNote').trim(),
      now: new Date(clock.now()),
    })
  }

  return {
    reasonOff: () => reasonOff(settings),
    async print(request) {
      const order = await orderOf(request)
      const { receipt, isNew } = await issuedOf(order)
      const hasReturns = order.refundedMinor + order.disputedMinor > 0n
      const events = hasReturns ? await payments.events(order.orderNo) : []
      const body = await printer.print(documentOf(receipt, paidBackOf(order, events)))
      return { receipt, isNew, body }
    },
    list: (query) => receiptPage(knex, query),
    billing: (userId) => billingOf(knex, userId),
    setBilling: (userId, details) => keepBilling(knex, userId, details, new Date(clock.now())),
    stop: () => printer.stop(),
  }
}
