/** Which callbacks are Stripe's, by the signature of their bytes. */
import type Stripe from 'stripe'
import { isObject } from '../../../kernel/contract/json.js'
import type { PaymentCallback } from '../../../kernel/contract/payment.js'

/** Seconds a signature may be old (docs.stripe.com/webhooks). */
const toleranceSeconds = 300

interface Verifying {
  readonly stripe: Stripe
  readonly webhookSecret: string
  /** Unix milliseconds. */
  readonly now: number
}

/** A sentence: why it is none. */
export function genuineEvent(
  { headers, body }: Pick<PaymentCallback, 'headers' | 'body'>,
  { stripe, webhookSecret, now }: Verifying,
): Stripe.Event | string {
  const signature = headers['stripe-signature'] ?? ''
  if (isAhead(signature, now)) return 'It is of the future.'
  try {
    const tolerance = [toleranceSeconds, undefined, now] as const
    const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, ...tolerance)
    const isEvent = typeof event.id === 'string' && isObject(event.data?.object)
    return isEvent ? event : 'It is no event.'
  } catch {
    return 'Its signature is wrong, too old, or of something else.'
  }
}

/** Stripe's client looks at the age of a signature alone. `now`: Unix milliseconds. */
function isAhead(signature: string, now: number): boolean {
  const at = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]
  return at !== undefined && Number(at) > now / 1000 + toleranceSeconds
}
