/**
 * Payment gateways as the service `payments` calls them: one that cannot even say what it offers offers nothing, a callback it
 * stumbles over is to be sent again, and no reply contradicts what became of it (PAY-3).
 */
import { isObject } from '../contract/json.js'
import type { Log } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'
import type {
  CallbackOutcome,
  CallbackReply,
  CallbackVerdict,
  Checkout,
  PaymentGateway,
  PaymentNotice,
  PaymentOffer,
  RefundResult,
} from '../contract/payment.js'
import { faultFields, faultIn, PluginFault } from '../toolkit/errors/plugin-fault.js'
import { currencyDigits } from '../toolkit/payment/amounts.js'

export function containedPayment(
  gateway: PaymentGateway,
  { id }: Manifest,
  log: Log,
): PaymentGateway {
  const { verify, reply, fetch, refund } = gateway

  /** What the verb returns where that fits; what it throws, and what does not fit, is a fault of the plugin. */
  async function held<Result>(
    verb: string,
    call: () => Result | Promise<Result>,
    fits: (result: unknown) => boolean,
  ): Promise<Result> {
    try {
      const result = await call()
      if (fits(result)) return result
    } catch (error) {
      throw faultIn(id, verb, error)
    }
    throw new PluginFault(id, verb, new Error('it returned something else than its contract says'))
  }

  return {
    offer() {
      try {
        const offer = gateway.offer()
        if (offer === undefined || isOffer(offer)) return offer
        throw new Error('it returned no offer')
      } catch (error) {
        log.error(faultFields(new PluginFault(id, 'offer', error)), 'a payment gateway failed')
        return undefined
      }
    },
    checkout: (order) => held('checkout', () => gateway.checkout(order), isCheckout),
    verify: verify && ((given) => held('verify', () => verify.call(gateway, given), isVerdict)),
    reply: (outcome) => {
      try {
        const sent = reply?.call(gateway, outcome)
        if (sent === undefined) return plain(outcome)
        if (isReply(sent, outcome)) return { ...plain(outcome), ...sent }
        throw new Error('its status contradicts the outcome')
      } catch (error) {
        log.error(faultFields(new PluginFault(id, 'reply', error)), 'a payment gateway failed')
        return plain(outcome)
      }
    },
    fetch:
      fetch &&
      ((order) =>
        held(
          'fetch',
          () => fetch.call(gateway, order),
          (notice) => notice === undefined || isNotice(notice),
        )),
    refund: refund && ((request) => held('refund', () => refund.call(gateway, request), isRefund)),
  }
}

const statuses = { accepted: 200, later: 500, forged: 400 } as const

function plain(outcome: CallbackOutcome): CallbackReply {
  return { status: statuses[outcome], body: '' }
}

function isReply(reply: unknown, outcome: CallbackOutcome): reply is CallbackReply {
  if (!isObject(reply) || typeof reply.body !== 'string') return false
  const status = reply.status ?? statuses[outcome]
  return typeof status === 'number' && Math.floor(status / 100) * 100 === statuses[outcome]
}

function isOffer(offer: unknown): offer is PaymentOffer {
  return (
    isObject(offer) &&
    isCurrency(offer.currency) &&
    isDecimal(offer.unitPrice) &&
    isDecimal(offer.amountMin) &&
    typeof offer.isTest === 'boolean'
  )
}

const kinds: ReadonlySet<unknown> = new Set(['redirect', 'form', 'qr', 'offline'])

function isCheckout(checkout: unknown): checkout is Checkout {
  if (!isObject(checkout) || !kinds.has(checkout.kind)) return false
  if (checkout.kind === 'qr') return typeof checkout.text === 'string'
  if (checkout.kind === 'offline') return typeof checkout.instructions === 'string'
  return isWebAddress(checkout.url) && (checkout.kind === 'redirect' || isObject(checkout.fields))
}

function isVerdict(verdict: unknown): verdict is CallbackVerdict {
  if (!isObject(verdict)) return false
  if (verdict.kind === 'forged') return typeof verdict.reason === 'string'
  if (verdict.kind === 'ignored') return typeof verdict.event === 'string'
  return verdict.kind === 'notice' && isNotice(verdict.notice)
}

const states: ReadonlySet<unknown> = new Set([
  'pending',
  'paid',
  'failed',
  'expired',
  'refunded',
  'disputed',
  'reinstated',
])
const moving: ReadonlySet<unknown> = new Set(['paid', 'refunded', 'disputed'])

function isNotice(value: unknown): value is PaymentNotice {
  if (!isRecord(value) || !states.has(value.state)) return false
  const { event, reference, orderNo, amountMinor, discountMinor, currency } = value
  return (
    isName(event) &&
    isName(reference) &&
    (orderNo === undefined || isName(orderNo)) &&
    (amountMinor === undefined ? !moving.has(value.state) : isMinor(amountMinor)) &&
    (discountMinor === undefined || isMinor(discountMinor)) &&
    (currency === undefined || typeof currency === 'string')
  )
}

const results: ReadonlySet<unknown> = new Set(['begun', 'done', 'refused'])

function isRefund(result: unknown): result is RefundResult {
  if (!isObject(result) || !results.has(result.kind)) return false
  return result.kind !== 'done' || isNotice(result.notice)
}

/** Names are keys of rows. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 255
}

const minorMax = 10n ** 15n

function isMinor(value: unknown): boolean {
  return typeof value === 'bigint' && value >= 0n && value <= minorMax
}

function isCurrency(value: unknown): boolean {
  return typeof value === 'string' && currencyDigits(value) !== undefined
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,12}(\.\d{1,12})?$/.test(value)
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
