/**
 * Signatures of webhooks: `creem-signature` is the hex HMAC-SHA256 of the body. Endpoints by the Standard Webhooks have headers
 * `webhook-id`, `webhook-timestamp` and `webhook-signature` in its place, and those state when they were made.
 */
import { createHmac } from 'node:crypto'
import type { PaymentCallback } from '../../../kernel/contract/payment.js'
import { isEqualInConstantTime } from '../../../kernel/toolkit/payment/index.js'

const toleranceMs = 300_000
const versionsMax = 5

/** `secret` is not empty. */
export function isSigned(
  { headers, body }: Pick<PaymentCallback, 'headers' | 'body'>,
  secret: string,
  now: number,
): boolean {
  const { 'webhook-signature': versions } = headers
  if (versions !== undefined) return isSignedByStandard(headers, body, { secret, now })
  const given = headers['creem-signature'] ?? ''
  return isEqualInConstantTime(
    given.toLowerCase(),
    createHmac('sha256', secret).update(body).digest('hex'),
  )
}

function isSignedByStandard(
  headers: PaymentCallback['headers'],
  body: Buffer,
  { secret, now }: { readonly secret: string; readonly now: number },
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '' } = headers
  if (id === '' || !/^\d{10}$/.test(at)) return false
  if (Math.abs(now - Number(at) * 1000) > toleranceMs) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) return false
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  const given = (headers['webhook-signature'] ?? '').split(' ', versionsMax)
  return given.some((version) => isEqualInConstantTime(version, `v1,${expected}`))
}
