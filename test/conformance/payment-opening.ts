/** Opening a payment: for its order, its exact amount (PAY-1), and never where the provider opened none. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Checkout, CheckoutOrder } from '../../kernel/contract/payment.js'
import type { TestFunction } from './kit.js'
import type { Script } from './outgoing.js'
import type { PaymentSubject } from './payment.js'
import { assertQuiet, order, type PaymentBench, paymentBench } from './payment-bench.js'

export interface OpeningSubject {
  /** The provider opens a payment. Absent: the gateway calls nobody for it. */
  readonly provider?: Script
  readonly productId?: string
  /** Amounts in currencies with 0, 2 and 3 digits, as far as it takes them, and how each stands in what it sends. */
  readonly amounts: readonly PinnedAmount[]
}

export interface PinnedAmount {
  readonly currency: string
  readonly amountMinor: bigint
  /** In what is sent to the provider, as `10.50`. Absent: the provider knows what the product costs. */
  readonly written?: string
  /** In place of some of the subject's. */
  readonly settings?: JsonObject
}

export interface Opening {
  /** As a test states it. */
  readonly what: string
  open(bench: PaymentBench, order: CheckoutOrder): Promise<Checkout>
}

export function conformingOpening(
  test: TestFunction,
  subject: PaymentSubject,
  { amounts, provider, productId }: OpeningSubject,
  { what, open }: Opening,
): void {
  for (const { currency, amountMinor, written, settings } of amounts) {
    test(`${what} of ${amountMinor} minor units of ${currency} is opened for its order (PAY-1)`, async () => {
      const at = paymentBench(subject, { settings, script: provider })
      const checkout = await open(at, { ...order, currency, amountMinor, productId })
      const text = sentBy(at, JSON.stringify(checkout))
      assert.ok(text.includes(order.orderNo), 'the order number goes along')
      if (written !== undefined) assert.match(text, wordOf(written), `${written} is to be paid`)
      if ('url' in checkout) assert.match(checkout.url, /^https?:\/\//)
      assertQuiet(at, JSON.stringify(checkout))
    })
  }
  if (provider === undefined) return
  for (const [failure, script] of failures) {
    test(`a provider that ${failure} opens no ${what.replace(/^an? /, '')}`, async () => {
      const at = paymentBench(subject, { script })
      await assertRejects(at, () => open(at, { ...order, productId }))
    })
  }
}

const failures: readonly (readonly [string, Script])[] = [
  ['cannot be reached', () => undefined],
  ['fails', () => ({ status: 500, text: '<html>Internal error</html>' })],
  ['refuses', () => ({ status: 400, json: { error: 'refused' } })],
  ['returns no JSON', () => ({ text: 'OK' })],
  ['returns something else', () => ({ json: [] })],
  ['returns far too much', () => ({ text: 'x'.repeat(4 * 1024 * 1024) })],
]

/** With an `Error` that shows no secret, also where the verb throws at once. */
export async function assertRejects(
  bench: PaymentBench,
  call: () => Promise<unknown>,
): Promise<void> {
  const whole = async () => call()
  const error = await whole().catch((one: unknown) => one)
  assert.ok(error instanceof Error, 'it rejects with an error')
  assertQuiet(bench, error.message)
}

/** Everything that was sent, and `beside`, in a spelling that forms and JSON share. */
export function sentBy({ world }: PaymentBench, beside = ''): string {
  const sent = world.calls.flatMap(({ url, body }) => [url.href, body])
  return [...sent, beside].map(decoded).join('\n')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

export function wordOf(text: string): RegExp {
  return new RegExp(`(?<![\\d.])${text.replaceAll('.', '\\.')}(?![\\d.]*\\d)`)
}
