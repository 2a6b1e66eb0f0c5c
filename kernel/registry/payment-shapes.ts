/** Whether what a payment gateway returned is what its contract states. */
import { isObject } from '../contract/json.js'
import type {
  CallbackVerdict,
  ChargeResult,
  Checkout,
  PaymentNotice,
  PaymentOffer,
  RefundResult,
  RenewalNotice,
} from '../contract/payment.js'
import { currencyDigits } from '../toolkit/payment/amounts.js'
import { bounds } from './bounds.js'
import { isText } from './provider-shapes.js'

export function isOffer(offer: unknown): offer is PaymentOffer {
  return (
    isObject(offer) &&
    isCurrency(offer.currency) &&
    isDecimal(offer.unitPrice) &&
    isDecimal(offer.amountMin) &&
    typeof offer.isTest === 'boolean'
  )
}

const kinds: ReadonlySet<unknown> = new Set(['redirect', 'form', 'qr', 'offline'])

export function isCheckout(checkout: unknown): checkout is Checkout {
  if (!isObject(checkout) || !kinds.has(checkout.kind)) return false
  if (checkout.kind === 'qr') return isText(checkout.text, bounds.codeMax)
  if (checkout.kind === 'offline') return isText(checkout.instructions, bounds.instructionsMax)
  return isWebAddress(checkout.url) && (checkout.kind === 'redirect' || isForm(checkout.fields))
}

function isForm(fields: unknown): boolean {
  if (!isObject(fields)) return false
  const values = Object.values(fields)
  return (
    values.length <= bounds.formFieldsMax &&
    values.every((value) => isText(value, bounds.instructionsMax))
  )
}

export function isVerdict(verdict: unknown): verdict is CallbackVerdict {
  if (!isObject(verdict)) return false
  if (verdict.kind === 'forged') return isText(verdict.reason, bounds.sentenceMax)
  if (verdict.kind === 'ignored') return typeof verdict.event === 'string'
  if (verdict.kind === 'renewal') return isRenewal(verdict.renewal)
  return verdict.kind === 'notice' && isNotice(verdict.notice)
}

function isRenewal(value: unknown): value is RenewalNotice {
  if (!isRecord(value)) return false
  const { event, agreement, state, reference, amountMinor, discountMinor, currency } = value
  if (!isName(event) || !isName(agreement)) return false
  if (state === 'failed' || state === 'ended') return true
  return (
    state === 'paid' &&
    isName(reference) &&
    isMinor(amountMinor) &&
    (discountMinor === undefined || isMinor(discountMinor)) &&
    (currency === undefined || typeof currency === 'string')
  )
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

export function isNotice(value: unknown): value is PaymentNotice {
  if (!isRecord(value) || !states.has(value.state)) return false
  const { event, reference, orderNo, amountMinor, discountMinor, currency } = value
  const { agreement, mandate } = value
  return (
    isName(event) &&
    isName(reference) &&
    (orderNo === undefined || isName(orderNo)) &&
    (agreement === undefined || isName(agreement)) &&
    (mandate === undefined || isName(mandate)) &&
    (amountMinor === undefined ? !moving.has(value.state) : isMinor(amountMinor)) &&
    (discountMinor === undefined || isMinor(discountMinor)) &&
    (currency === undefined || typeof currency === 'string')
  )
}

const results: ReadonlySet<unknown> = new Set(['begun', 'done', 'refused'])

export function isRefund(result: unknown): result is RefundResult {
  if (!isObject(result) || !results.has(result.kind)) return false
  return result.kind !== 'done' || isNotice(result.notice)
}

export function isPage(page: unknown): page is { readonly url: string } {
  return isObject(page) && isWebAddress(page.url)
}

export function isCharge(result: unknown): result is ChargeResult {
  if (!isObject(result) || !results.has(result.kind)) return false
  if (result.kind === 'refused') return isText(result.reason, bounds.sentenceMax)
  if (result.kind === 'done') return isNotice(result.notice)
  return result.reference === undefined || isName(result.reference)
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
  return isText(value, bounds.urlMax) && /^https?:\/\//.test(value) && URL.canParse(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
