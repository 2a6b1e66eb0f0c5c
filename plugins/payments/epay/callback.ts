/** A callback: parameters of an address or a form, signed; `trade_status` is `TRADE_SUCCESS` once it is paid. */
import type { CallbackVerdict, PaymentCallback } from '../../../kernel/contract/payment.js'
import { minorUnits } from '../../../kernel/toolkit/payment/index.js'
import type { Merchant } from './settings.js'
import { isSigned, type Parameters } from './sign.js'

/** The second interface states when it signed, in Unix seconds. */
const toleranceMs = 300_000
const parametersMax = 64

export function verified(
  { method, query, body }: PaymentCallback,
  { id, currency, keys }: Merchant,
  now: number,
): CallbackVerdict {
  const text = method === 'GET' || body.length === 0 ? query : body.toString('utf8')
  const found = parametersIn(text)
  if (found === undefined) return forged('It has a parameter twice, or too many of them.')
  if (!isSigned(found, keys)) return forged('Its signature is wrong.')
  if (found.pid !== id) return forged('It is for another merchant.')
  if (keys.kind === 'RSA' && !isFresh(found.timestamp, now)) return forged('It is too old.')
  const { trade_no = '', out_trade_no = '', trade_status = '', money = '' } = found
  if (trade_status !== 'TRADE_SUCCESS')
    return { kind: 'ignored', event: `status ${trade_status}`.slice(0, 64) }
  const amountMinor = minorUnits(money, currency)
  if (trade_no === '' || out_trade_no === '' || amountMinor === undefined) {
    return forged('It names no order, no payment, or no amount.')
  }
  const event = `paid ${trade_no}`
  const paid = { orderNo: out_trade_no, reference: trade_no, amountMinor }
  return { kind: 'notice', notice: { event, state: 'paid', ...paid } }
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

function isFresh(timestamp: string | undefined, now: number): boolean {
  if (!/^\d{10}$/.test(timestamp ?? '')) return false
  return Math.abs(now - Number(timestamp) * 1000) <= toleranceMs
}

function forged(reason: string): CallbackVerdict {
  return { kind: 'forged', reason }
}
