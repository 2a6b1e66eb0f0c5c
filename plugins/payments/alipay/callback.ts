/** A callback: parameters of a form, signed by Alipay. */
import type { CallbackVerdict, PaymentCallback } from '../../../kernel/contract/payment.js'
import { minorUnits } from '../../../kernel/toolkit/payment/index.js'
import type { Merchant } from './settings.js'
import { isSigned, type Parameters } from './sign.js'
import { fromBeijing } from './times.js'

/** Alipay repeats for about 25 hours. */
const ageMaxMs = 26 * 3_600_000
const aheadMaxMs = 300_000
const parametersMax = 64

export function verified(
  { body }: PaymentCallback,
  { appId, sellerId, platformKey, isTest }: Merchant,
  now: number,
): CallbackVerdict {
  const found = parametersIn(body.toString('utf8'))
  if (found === undefined) return forged('It has a parameter twice, or too many of them.')
  if (!isSigned(found, platformKey)) return forged('Its signature is wrong.')
  if (found.app_id !== appId || found.seller_id !== sellerId) {
    return forged('It is for another app or seller.')
  }
  const at = fromBeijing(found.notify_time ?? '')
  if (at === undefined || at < now - ageMaxMs || at > now + aheadMaxMs) {
    return forged('It is too old, or of the future.')
  }
  return reported(found, { at, isTest })
}

type Facts = { readonly at: number; readonly isTest: boolean }

function reported(found: Parameters, facts: Facts): CallbackVerdict {
  const { notify_id = '', trade_no = '', out_trade_no = '', trade_status = '' } = found
  if (notify_id === '' || trade_no === '' || out_trade_no === '') {
    return forged('It names no order, no payment, or no event.')
  }
  const names = { event: notify_id, orderNo: out_trade_no, reference: trade_no }
  const refunded = minorUnits(found.refund_fee ?? '', 'CNY') ?? 0n
  if (refunded > 0n) {
    const amount = { amountMinor: refunded, currency: 'CNY' }
    return { kind: 'notice', notice: { ...names, state: 'refunded', ...amount, ...facts } }
  }
  if (trade_status === 'TRADE_CLOSED') {
    return { kind: 'notice', notice: { ...names, state: 'expired', ...facts } }
  }
  if (trade_status !== 'TRADE_SUCCESS' && trade_status !== 'TRADE_FINISHED') {
    return { kind: 'ignored', event: `status ${trade_status}`.slice(0, 64) }
  }
  const amountMinor = minorUnits(found.total_amount ?? '', 'CNY')
  if (amountMinor === undefined) return forged('It names no amount.')
  return {
    kind: 'notice',
    notice: { ...names, state: 'paid', amountMinor, currency: 'CNY', ...facts },
  }
}

function parametersIn(text: string): Parameters | undefined {
  const found: Record<string, string> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in found || ++count > parametersMax) return undefined
    found[name] = value
  }
  return found
}

function forged(reason: string): CallbackVerdict {
  return { kind: 'forged', reason }
}
