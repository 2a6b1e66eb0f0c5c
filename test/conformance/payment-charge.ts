/** Payments while the payer is away: by what they agreed to, to the unit, and once for each order. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { ChargeOrder, ChargeResult, PaymentCallback } from '../../kernel/contract/payment.js'
import type { TestFunction } from './kit.js'
import type { Script } from './outgoing.js'
import type { CallbackSubject, PaidFacts, PaymentSubject } from './payment.js'
import { assertQuiet, noon, order, type PaymentBench, paymentBench } from './payment-bench.js'
import { assertRejects, type PinnedAmount, sentBy, wordOf } from './payment-opening.js'

export interface ChargeSubject {
  /** What payments are taken by, as `agreed` names it. */
  readonly mandate: string
  readonly amounts: readonly PinnedAmount[]
  /** A payment whose payer agreed to later ones, signed with these secrets in place of the subject's. */
  agreed(facts: PaidFacts, secrets?: JsonObject): PaymentCallback | Promise<PaymentCallback>
  /** The provider, with a memory that begins anew. */
  readonly provider: () => ChargeProvider
}

export interface ChargeProvider {
  readonly script: Script
  /** In all, in minor units. */
  taken(): bigint
  /** Whatever it keeps for a time only, as keys of idempotency. Absent: it forgets nothing. */
  forget?(): void
  /** From now on the payer's bank declines, and the provider states this text. */
  decline(text: string): void
}

/** What a provider states of a decline is nothing for a payer. */
const raw = 'do_not_honor by acquirer 7731'

export function conformingCharge(
  test: TestFunction,
  subject: PaymentSubject,
  callbacks: CallbackSubject,
  charge: ChargeSubject,
): void {
  const [{ currency, amountMinor, settings }] = charge.amounts as [PinnedAmount]
  const { orderNo, title } = order
  const wanted: ChargeOrder = { orderNo, title, currency, amountMinor, mandate: charge.mandate }
  const opened = () => {
    const provider = charge.provider()
    return { provider, at: paymentBench(subject, { settings, script: provider.script }) }
  }

  test('a payment whose payer agreed to later ones names the mandate', async () => {
    const at = subject.now ?? noon
    const { gateway } = paymentBench(subject, { script: callbacks.provider })
    const facts = { orderNo, amountMinor: 7000n, currency: callbacks.currency, at }
    const verdict = await gateway.verify!(await charge.agreed(facts))
    assert.ok(verdict.kind === 'notice')
    assert.equal(verdict.notice.mandate, charge.mandate)
  })
  for (const { written, settings, ...amount } of charge.amounts) {
    test(`${amount.amountMinor} minor units of ${amount.currency} are taken for their order (PAY-1)`, async () => {
      const provider = charge.provider()
      const at = paymentBench(subject, { settings, script: provider.script })
      assertTaken(at, await at.gateway.charge!({ ...wanted, ...amount }), amount.amountMinor)
      assert.equal(provider.taken(), amount.amountMinor)
      const text = sentBy(at)
      assert.ok(text.includes(orderNo), 'the order number goes along')
      if (written !== undefined) assert.match(text, wordOf(written), `${written} is taken`)
    })
  }
  test('an order that is charged again takes nothing more, whatever is forgotten (PAY-5)', async () => {
    const { provider, at } = opened()
    for (const forgets of [false, false, true, true]) {
      if (forgets) provider.forget?.()
      assertTaken(at, await at.gateway.charge!(wanted), amountMinor)
      assert.equal(provider.taken(), amountMinor)
    }
    await at.gateway.charge!({ ...wanted, orderNo: 'decade'.repeat(5) })
    assert.equal(provider.taken(), amountMinor * 2n, 'another order is another payment')
  })
  test('a payment whose connection broke is no refusal, and is not taken again (PAY-5)', async () => {
    const provider = charge.provider()
    let isBroken = false
    const script: Script = async (call, index) => {
      const answer = await provider.script(call, index)
      const breaks = !isBroken && provider.taken() > 0n
      isBroken ||= breaks
      return breaks ? undefined : answer
    }
    const at = paymentBench(subject, { settings, script })
    await assertRejects(at, () => at.gateway.charge!(wanted))
    provider.forget?.()
    assertTaken(at, await at.gateway.charge!(wanted), amountMinor)
    assert.equal(provider.taken(), amountMinor)
  })
  test('what the bank declines is refused with a sentence for the payer', async () => {
    const { provider, at } = opened()
    provider.decline(raw)
    for (const forgets of [false, true]) {
      if (forgets) provider.forget?.()
      const result = await at.gateway.charge!(wanted)
      assert.ok(result.kind === 'refused')
      assert.match(result.reason, /^\S.*\.$/, 'a sentence')
      assert.ok(!result.reason.includes(raw), 'nothing of what the provider states')
      assertQuiet(at, result.reason)
    }
    assert.equal(provider.taken(), 0n)
  })
  test('a provider that fails is an error, and no refusal', async () => {
    for (const script of [() => undefined, () => ({ status: 500, text: 'no' })] as Script[]) {
      const at = paymentBench(subject, { settings, script })
      await assertRejects(at, () => at.gateway.charge!(wanted))
    }
  })
}

/** Begun or done; what is done is exact. */
function assertTaken(at: PaymentBench, result: ChargeResult, taken: bigint): void {
  assert.notEqual(result.kind, 'refused')
  assertQuiet(
    at,
    JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  )
  if (result.kind !== 'done') return
  const { state, orderNo, amountMinor, event, reference } = result.notice
  assert.deepEqual(
    { state, orderNo, amountMinor },
    { state: 'paid', orderNo: order.orderNo, amountMinor: taken },
  )
  assert.ok(event !== '' && reference !== '')
}
