/** The service `receipts` over paid orders of a gateway the test plays, and a reader of what it makes. */
import type { Test } from 'tap'
import { extractText, getDocumentProxy } from 'unpdf'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Options } from '../../../../plugins/services/options/index.js'
import type { PaymentOrder } from '../../../../plugins/services/payments/index.js'
import createReceipts, { type Receipts } from '../../../../plugins/services/receipts/index.js'
import { settingsOf } from '../../management/management-fixture.js'
import { type PaymentsFixture, paymentsFixture } from '../payments/payments-fixture.js'

export interface ReceiptsFixture extends PaymentsFixture {
  readonly receipts: Receipts
  /** Settings of the service; may be changed by tests. */
  readonly stated: Record<string, never> & JsonObject
  /** Checks of options by key. */
  readonly rules: ReadonlyMap<string, (text: string) => unknown>
  /** Another service over the same tables, as of another process. */
  anotherReceipts(): Receipts
  /** An order of 10 units for 70.00 CNY that was paid. */
  paidOrder(userId: number, over?: object): Promise<PaymentOrder>
  /** What the receipt of an order says, page by page; blanks in rows are one. */
  pages(orderNo: string): Promise<readonly string[]>
}

export async function receiptsFixture(t: Test): Promise<ReceiptsFixture> {
  const ground = await paymentsFixture(t)
  const { database, payments, clock, log, order, callback } = ground
  const stated: ReceiptsFixture['stated'] = Object.assign({} as Record<string, never>, {
    ...{ enabled: true, sellerName: 'Acme Relay GmbH', sellerAddress: 'Long Road 1\n10115 Berlin' },
    ...{ sellerTaxId: 'DE123', sellerContact: 'billing@acme.example', prefix: 'R-' },
    ...{ taxNote: 'No VAT is charged.', note: 'Thank you.\nUntil next time.' },
  })
  const rules = new Map<string, (text: string) => unknown>()
  const options = {
    check: (key: string, check: (text: string) => void) => rules.set(key, check),
  } as unknown as Options

  function anotherReceipts(): Receipts {
    const services = { database, options, payments }
    const made = createReceipts({ services, settings: settingsOf(stated), clock, log })
    t.teardown(async () => made.stop?.())
    return made
  }

  const receipts = anotherReceipts()
  return {
    ...ground,
    ...{ receipts, stated, rules, anotherReceipts },
    async paidOrder(userId, over = {}) {
      const placed = await order(userId, over)
      const { orderNo, amountMinor, currency, isTest } = placed
      await callback({
        ...{ event: `paid ${orderNo}`, state: 'paid', orderNo, reference: `pay ${orderNo}` },
        ...{ amountMinor, currency, isTest },
      })
      return placed
    },
    pages: async (orderNo) => pagesOf((await receipts.print({ orderNo })).body),
  }
}

export async function pagesOf(pdf: Buffer): Promise<readonly string[]> {
  const { text } = await extractText(await readPdf(pdf), { mergePages: false })
  return text.map((page) => page.replace(/[^\S\n]+/g, ' '))
}

/** It takes the bytes away, so it gets its own. */
export function readPdf(pdf: Buffer): ReturnType<typeof getDocumentProxy> {
  return getDocumentProxy(new Uint8Array(pdf))
}
