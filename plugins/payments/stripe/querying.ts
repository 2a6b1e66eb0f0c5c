/** What a lost callback would have reported: by the session of a page, or by the payment that was taken. */
import type Stripe from 'stripe'
import type { PaymentNotice, PlacedOrder } from '../../../kernel/contract/payment.js'
import { failed } from './client.js'
import { intentNotice, sessionNotice } from './notices.js'

export async function queried(
  { reference, orderNo }: PlacedOrder,
  stripe: Stripe,
): Promise<PaymentNotice | undefined> {
  if (reference === undefined) return undefined
  const notice = reference.startsWith('pi_')
    ? await ofIntent(reference, stripe)
    : await ofSession(reference, stripe)
  return notice?.orderNo === orderNo ? notice : undefined
}

async function ofSession(id: string, stripe: Stripe): Promise<PaymentNotice | undefined> {
  const session = await stripe.checkout.sessions.retrieve(id).catch(failed)
  const isTest = !session.livemode
  if (session.status === 'expired') {
    const orderNo = session.client_reference_id ?? undefined
    return { event: `expired ${id}`, state: 'expired', orderNo, reference: id, isTest }
  }
  const fields = session.status === 'complete' ? sessionNotice(session) : undefined
  return fields?.state === 'paid' ? { event: `paid ${id}`, isTest, ...fields } : undefined
}

async function ofIntent(id: string, stripe: Stripe): Promise<PaymentNotice | undefined> {
  const intent = await stripe.paymentIntents.retrieve(id).catch(failed)
  const fields = intent.status === 'processing' ? undefined : intentNotice(intent)
  return fields && { event: `${fields.state} ${id}`, isTest: !intent.livemode, ...fields }
}
