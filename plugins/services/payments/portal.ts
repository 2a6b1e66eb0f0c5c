/** The page of a provider where who subscribed sees what was paid, and changes how it is paid. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Subscription } from '../subscriptions/index.js'
import type { Addresses } from './addresses.js'
import type { Gateways } from './gateways.js'

export interface PortalDependencies {
  readonly gateways: Gateways
  /** Throws a `Refusal` where nobody could come back. */
  readonly addresses: () => Addresses
}

export async function portalOf(
  { gateway: name, agreement }: Pick<Subscription, 'gateway' | 'agreement'>,
  { gateways, addresses }: PortalDependencies,
): Promise<string> {
  const gateway = name === undefined ? undefined : gateways.reporting(name)
  if (gateway?.plugin.portal === undefined || agreement === undefined) {
    const reason = 'There is no page of a provider for this subscription.'
    throw new Refusal('invalid_field', { reason, param: 'id' })
  }
  const returnUrl = `${addresses().pages}/wallet`
  const { title } = gateway
  const { url } = await gateway.plugin.portal({ agreement, returnUrl }).catch((cause) => {
    throw new Refusal('payment_failed', { gateway: title, param: 'id' }, { cause })
  })
  return url
}
