/** Refunds: to the unit, of the payment that was named, and once for each key. */
import assert from 'node:assert/strict'
import type { TestFunction } from './kit.js'
import type { PaymentSubject, RefundSubject } from './payment.js'
import { assertQuiet, order, paymentBench } from './payment-bench.js'

export function conformingRefund(
  test: TestFunction,
  subject: PaymentSubject,
  { reference, provider, isKeyed = true }: RefundSubject,
): void {
  const { currency, amountMinor } = subject.checkout.amounts[0]!
  const request = {
    ...{ orderNo: order.orderNo, currency, amountMinor, refundMinor: amountMinor, reference },
    createdAt: order.expiresAt - 3_600_000,
  }
  const sentFor = async (key: string) => {
    const at = paymentBench(subject, { script: provider })
    const result = await at.gateway.refund!({ ...request, key })
    assert.notEqual(result.kind, 'refused')
    assertQuiet(
      at,
      JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    return JSON.stringify(at.world.calls)
  }
  test('a refund is the same under the same key, and another under another', async () => {
    assert.equal(await sentFor('refund-1'), await sentFor('refund-1'))
    if (isKeyed) assert.notEqual(await sentFor('refund-1'), await sentFor('refund-2'))
    assert.ok((await sentFor('refund-1')).includes(reference))
  })
  test('a refund the provider did not take is no success', async () => {
    for (const status of [400, 500]) {
      const script = () => ({ status, json: { error: 'no' } })
      const at = paymentBench(subject, { script })
      const outcome = await Promise.resolve(at.gateway.refund!({ ...request, key: 'r' })).catch(
        (error: unknown) => error,
      )
      const isRefused = outcome instanceof Error || (outcome as { kind: string }).kind === 'refused'
      assert.ok(isRefused, `status ${status}`)
      assertQuiet(at, outcome instanceof Error ? outcome.message : JSON.stringify(outcome))
    }
  })
}
