/** Subscriptions at Stripe: how they end, and the page where their payer sees them. */
import type Stripe from 'stripe'
import type { PortalRequest } from '../../../kernel/contract/payment.js'
import { failed, isGone } from './client.js'
import { idOf } from './ids.js'

/**
 * At once, and without paying anything back: until when a payer has what was paid is known here, and a subscription that only
 * ends with its period would still collect an invoice that is open.
 */
export async function ended(agreement: string, stripe: Stripe): Promise<void> {
  try {
    await stripe.subscriptions.cancel(agreement)
  } catch (error) {
    if (!isGone(error) && !(await isEnded(agreement, stripe))) failed(error)
  }
}

async function isEnded(agreement: string, stripe: Stripe): Promise<boolean> {
  const { status } = await stripe.subscriptions.retrieve(agreement).catch(failed)
  return status === 'canceled' || status === 'incomplete_expired'
}

export async function portalPage(
  { agreement, mandate, returnUrl }: PortalRequest,
  stripe: Stripe,
): Promise<{ readonly url: string }> {
  const customer = agreement === undefined ? mandate : await customerOf(agreement, stripe)
  if (customer === undefined) throw new Error('Stripe has no page for who agreed to nothing.')
  const wanted = { customer, return_url: returnUrl }
  const { url } = await stripe.billingPortal.sessions.create(wanted).catch(failed)
  if (typeof url !== 'string') throw new Error('Stripe returned no address of a page.')
  return { url }
}

async function customerOf(agreement: string, stripe: Stripe): Promise<string | undefined> {
  const { customer } = await stripe.subscriptions.retrieve(agreement).catch(failed)
  return idOf(customer)
}
