/** What repeats: each payment counts to the unit and once, nothing altered counts, and it can be ended, also again. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../kernel/contract/json.js'
import type {
  CallbackVerdict,
  PaymentCallback,
  RecurringOrder,
  RenewalNotice,
} from '../../kernel/contract/payment.js'
import type { TestFunction } from './kit.js'
import type { Script } from './outgoing.js'
import type { CallbackSubject, PaidFacts, PaymentSubject } from './payment.js'
import { assertQuiet, noon, order, paymentBench } from './payment-bench.js'
import { changes } from './payment-callbacks.js'
import { assertRejects, conformingOpening, type OpeningSubject, sentBy } from './payment-opening.js'

export interface RecurringSubject extends OpeningSubject {
  readonly provider: Script
  /** Default: every month. */
  readonly every?: RecurringOrder['every']
  /** What repeats, as the callbacks below name it. */
  readonly agreement: string
  /** The first payment of the order. Secrets are in place of the subject's, as in all of these. */
  first(facts: PaidFacts, secrets?: JsonObject): PaymentCallback | Promise<PaymentCallback>
  /** A later payment. */
  renewed(facts: RenewedFacts, secrets?: JsonObject): PaymentCallback | Promise<PaymentCallback>
  /** Nothing is collected any more. */
  ended(facts: EndedFacts, secrets?: JsonObject): PaymentCallback | Promise<PaymentCallback>
  /** A provider that has `agreement`, and is told to end it. */
  readonly ending: () => Script
}

/** Without the order: a renewal is found by what repeats. */
export interface RenewedFacts extends PaidFacts {
  /** The second payment of the agreement, the third and so on. */
  readonly nth: number
}

export type EndedFacts = Pick<PaidFacts, 'at' | 'orderNo'>

export function conformingRecurring(
  test: TestFunction,
  subject: PaymentSubject,
  callbacks: CallbackSubject,
  recurring: RecurringSubject,
): void {
  const every = recurring.every ?? { unit: 'month', count: 1 }
  conformingOpening(test, subject, recurring, {
    what: 'a payment that repeats',
    open: ({ gateway }, { keepsMandate: _, ...one }) => gateway.subscribe!({ ...one, every }),
  })
  conformingReports(test, subject, callbacks, recurring)
  conformingEnd(test, subject, recurring)
}

function conformingReports(
  test: TestFunction,
  subject: PaymentSubject,
  { provider: script, currency, secrets }: CallbackSubject,
  { agreement, first, renewed, ended }: RecurringSubject,
): void {
  const at = subject.now ?? noon
  const facts = { orderNo: order.orderNo, amountMinor: 7000n, currency, at, nth: 2 }
  const judged = async (callback: PaymentCallback): Promise<CallbackVerdict> => {
    const bench = paymentBench(subject, { script })
    const verdict = await bench.gateway.verify!(callback)
    assertQuiet(bench, verdict.kind === 'forged' ? verdict.reason : '')
    return verdict
  }
  const renewal = async (callback: PaymentCallback): Promise<RenewalNotice> => {
    const [one, again] = [await judged(callback), await judged(callback)]
    assert.deepEqual(one, again, 'the same at every delivery')
    assert.ok(one.kind === 'renewal', 'it is a renewal')
    assert.equal(one.renewal.agreement, agreement)
    assert.notEqual(one.renewal.event, '')
    return one.renewal
  }

  test('the first payment of what repeats names the order and the agreement (PAY-1)', async () => {
    const verdict = await judged(await first(facts))
    assert.ok(verdict.kind === 'notice')
    const { state, orderNo, amountMinor, reference } = verdict.notice
    assert.deepEqual(
      { state, orderNo, amountMinor, agreement: verdict.notice.agreement },
      { state: 'paid', orderNo: facts.orderNo, amountMinor: facts.amountMinor, agreement },
    )
    assert.notEqual(reference, '')
  })
  test('a renewal is read exactly, the same at every delivery (PAY-1)', async () => {
    for (const amountMinor of [7000n, 6999n, 7001n, 1n]) {
      const found = await renewal(await renewed({ ...facts, amountMinor }))
      assert.equal(found.state, 'paid')
      assert.equal(found.amountMinor, amountMinor, 'what was paid, to the unit')
      assert.equal((found.currency ?? currency).toUpperCase(), currency)
    }
  })
  test('each payment of what repeats has a reference of its own (PAY-5)', async () => {
    const verdict = await judged(await first(facts))
    assert.ok(verdict.kind === 'notice')
    const references = [verdict.notice.reference]
    for (const nth of [2, 3]) {
      const { reference = '' } = await renewal(await renewed({ ...facts, nth }))
      assert.notEqual(reference, '')
      references.push(reference)
    }
    assert.equal(new Set(references).size, 3)
  })
  test('of a renewal that is changed at any place nothing else is read (PAY-2)', async () => {
    const genuine = await renewed(facts)
    const usual = await judged(genuine)
    for (const changed of changes(genuine)) {
      const verdict = await judged(changed)
      assert.notEqual(verdict.kind, 'notice')
      if (verdict.kind === 'renewal') assert.deepEqual(verdict, usual)
    }
  })
  for (const secret of secrets) {
    test(`what repeats is not believed where it is signed with another ${secret} (PAY-2)`, async () => {
      for (const value of ['of another merchant', '']) {
        for (const make of [first, renewed, ended]) {
          const { kind } = await judged(await make(facts, { [secret]: value }))
          assert.ok(kind === 'forged' || kind === 'ignored', 'it counts for nothing')
        }
      }
    })
  }
  test('the end of what repeats is reported', async () => {
    assert.equal((await renewal(await ended(facts))).state, 'ended')
  })
}

function conformingEnd(
  test: TestFunction,
  subject: PaymentSubject,
  { agreement, ending }: RecurringSubject,
): void {
  test('what repeats is ended, and may be ended again', async () => {
    const at = paymentBench(subject, { script: ending() })
    await at.gateway.unsubscribe!(agreement)
    assert.ok(sentBy(at).includes(agreement), 'the provider is told what is to end')
    await at.gateway.unsubscribe!(agreement)
    assertQuiet(at, '')
  })
  test('where the provider fails, what repeats has not ended', async () => {
    for (const script of [() => undefined, () => ({ status: 500, text: 'no' })] as Script[]) {
      const at = paymentBench(subject, { script })
      await assertRejects(at, () => at.gateway.unsubscribe!(agreement))
    }
  })
}
