/**
 * The conformance kit of payment gateways. A plugin brings its manifest, settings with which it can be paid, a way to make
 * genuine callbacks, signed by something else than its own code, and its provider as a script; the kit plays the gateway, and those
 * who would like to be paid without paying.
 */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OutgoingKit } from '../../kernel/contract/kit.js'
import type {
  CallbackOutcome,
  PaymentCallback,
  PaymentGateway,
} from '../../kernel/contract/payment.js'
import { conformingManifest, runKit, type TestFunction, type TestRunner } from './kit.js'
import type { Script } from './outgoing.js'
import { assertQuiet, order, paymentBench } from './payment-bench.js'
import { conformingCallbacks } from './payment-callbacks.js'
import { type ChargeSubject, conformingCharge } from './payment-charge.js'
import { conformingOpening, type OpeningSubject } from './payment-opening.js'
import { conformingPortal, type PortalSubject } from './payment-portal.js'
import { conformingRecurring, type RecurringSubject } from './payment-recurring.js'
import { conformingRefund } from './payment-refund.js'

export interface PaymentSubject {
  /** Text of `manifest.json`. */
  readonly manifest: string
  readonly create: (kit: OutgoingKit) => PaymentGateway
  /** With which it offers something. Its secrets must be words nothing else states. */
  readonly settings: JsonObject
  /** Settings without any one of which nothing may be offered: those that callbacks are verified by are among them (M22). */
  readonly required: readonly string[]
  /** Unix milliseconds at which the clock stands; default: noon of 2026-01-31 UTC. */
  readonly now?: number
  readonly checkout: OpeningSubject
  /** Absent: it is paid outside, and nothing is reported. */
  readonly callbacks?: CallbackSubject
  /** Absent: the provider cannot be asked about an order. */
  readonly lookup?: LookupSubject
  /** Absent: it pays nothing back. */
  readonly refund?: RefundSubject
  /** Absent: nothing repeats by it. */
  readonly recurring?: RecurringSubject
  /** Absent: nothing is taken while the payer is away. */
  readonly charge?: ChargeSubject
  /** Absent: its provider has no page for payers. */
  readonly portal?: PortalSubject
}

/** What a callback reports. */
export interface PaidFacts {
  readonly orderNo: string
  readonly amountMinor: bigint
  readonly currency: string
  /** Unix milliseconds. */
  readonly at: number
}

export interface CallbackSubject {
  /** A payment, signed with these secrets in place of the subject's. */
  paid(facts: PaidFacts, secrets?: JsonObject): PaymentCallback | Promise<PaymentCallback>
  /** The names of the secrets a callback is signed with. */
  readonly secrets: readonly string[]
  /** In the currency of its settings. */
  readonly currency: string
  /** The provider, where it is called to verify. */
  readonly provider?: Script
  /** Seconds a callback may be old. Absent: the provider states no time. */
  readonly toleranceSeconds?: number
  /** Seconds its time may lie ahead. Absent: as many. */
  readonly aheadSeconds?: number
  /** Headers that do not have to be there. Absent: every header is part of the proof. */
  readonly freeHeaders?: readonly string[]
}

interface LookupSubject {
  /** Of the checkout. */
  readonly reference?: string
  /** The order of the kit is paid in full. */
  readonly paid: Script
  /** The provider knows nothing of it, or it is not paid. */
  readonly unpaid: Script
}

export interface RefundSubject {
  /** Of the payment. */
  readonly reference: string
  readonly provider: Script
  /** False: the provider pays back whole payments alone, each once. Default: true. */
  readonly isKeyed?: boolean
}

/** Names every test at once; the promise resolves when they have ended. */
export function conformingPayment(runner: TestRunner, subject: PaymentSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: PaymentSubject): void {
  conformingManifest(test, subject.manifest, 'payment')
  conformingOffer(test, subject)
  conformingOpening(test, subject, subject.checkout, {
    what: 'a payment',
    open: ({ gateway }, one) => gateway.checkout(one),
  })
  conformingReplies(test, subject)
  if (subject.callbacks !== undefined) conformingCallbacks(test, subject, subject.callbacks)
  if (subject.lookup !== undefined) conformingLookup(test, subject, subject.lookup)
  if (subject.refund !== undefined) conformingRefund(test, subject, subject.refund)
  conformingVerbs(test, subject)
  const { callbacks, recurring, charge, portal } = subject
  if (callbacks !== undefined && recurring !== undefined) {
    conformingRecurring(test, subject, callbacks, recurring)
  }
  if (callbacks !== undefined && charge !== undefined) {
    conformingCharge(test, subject, callbacks, charge)
  }
  if (portal !== undefined) conformingPortal(test, subject, portal)
}

/** What a gateway can is tried, and what repeats by it can be ended. */
function conformingVerbs(test: TestFunction, subject: PaymentSubject): void {
  test('what moves money by itself is tried here', () => {
    const { gateway } = paymentBench(subject)
    const { callbacks, recurring, charge, portal } = subject
    const isReported = callbacks !== undefined
    assert.equal(gateway.subscribe !== undefined, isReported && recurring !== undefined)
    assert.equal(gateway.unsubscribe !== undefined, gateway.subscribe !== undefined)
    assert.equal(gateway.charge !== undefined, isReported && charge !== undefined)
    assert.equal(gateway.portal !== undefined, portal !== undefined)
  })
}

function conformingOffer(test: TestFunction, subject: PaymentSubject): void {
  test('what can be bought is stated exactly, and calls nobody', () => {
    const { gateway, world } = paymentBench(subject)
    const offer = gateway.offer()
    assert.ok(offer, 'the settings suffice')
    assert.match(offer.currency, /^[A-Z]{3}$/)
    assert.match(offer.unitPrice, /^\d+(\.\d+)?$/)
    assert.match(offer.amountMin, /^\d+(\.\d+)?$/)
    assert.equal(typeof offer.isTest, 'boolean')
    for (const { amountMinor, quota } of offer.products ?? []) {
      assert.ok(typeof amountMinor === 'bigint' && amountMinor > 0n, 'a price in minor units')
      assert.ok(typeof quota === 'bigint' && quota > 0n, 'a credit')
    }
    assert.equal(world.calls.length, 0)
  })
  for (const name of subject.required) {
    test(`without ${name} nothing is offered (M22)`, () => {
      for (const missing of ['', ' ']) {
        assert.equal(
          paymentBench(subject, { settings: { [name]: missing } }).gateway.offer(),
          undefined,
        )
      }
    })
  }
}

function conformingReplies(test: TestFunction, subject: PaymentSubject): void {
  const statuses: Readonly<Record<CallbackOutcome, RegExp>> = {
    accepted: /^2/,
    later: /^5/,
    forged: /^4/,
  }
  for (const [outcome, status] of Object.entries(statuses)) {
    test(`${outcome}: the provider understands the reply (PAY-3)`, () => {
      const reply = paymentBench(subject).gateway.reply?.(outcome as CallbackOutcome)
      if (reply === undefined) return
      assert.equal(typeof reply.body, 'string')
      if (reply.status !== undefined) assert.match(String(reply.status), status)
    })
  }
}

function conformingLookup(
  test: TestFunction,
  subject: PaymentSubject,
  lookup: LookupSubject,
): void {
  const { currency, amountMinor } = subject.checkout.amounts[0]!
  const { reference } = lookup
  const placed = {
    ...{ orderNo: order.orderNo, currency, amountMinor, createdAt: order.expiresAt - 3_600_000 },
    ...(reference !== undefined && { reference }),
  }
  const asked = (script: Script) => {
    const at = paymentBench(subject, { script })
    return { at, notice: Promise.resolve(at.gateway.fetch!(placed)) }
  }
  test('a lost callback is made up for by a query (PAY-5)', async () => {
    const { at, notice } = asked(lookup.paid)
    const found = await notice
    assert.ok(found)
    const { state, orderNo = order.orderNo } = found
    assert.deepEqual(
      { state, orderNo, amountMinor: found.amountMinor },
      {
        ...{ state: 'paid', orderNo: order.orderNo, amountMinor },
      },
    )
    assert.ok(found.event !== '' && found.reference !== '')
    assertQuiet(at, '')
  })
  test('an order that is not paid is no news', async () => {
    const found = await asked(lookup.unpaid).notice
    assert.notEqual(found?.state, 'paid')
  })
  test('a provider that cannot be reached is an error, and no news', async () => {
    for (const script of [() => undefined, () => ({ status: 503, text: 'later' })] as Script[]) {
      const { at, notice } = asked(script)
      const error = await notice.catch((one: unknown) => one)
      assert.ok(error instanceof Error, 'it rejects with an error')
      assertQuiet(at, error.message)
    }
  })
}
