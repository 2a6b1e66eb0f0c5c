/** The page of a provider where payers see what was paid, and change how it is paid. */
import type { Knex } from 'knex'
import type { PortalRequest } from '../../../kernel/contract/payment.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Subscription } from '../subscriptions/index.js'
import type { Addresses } from './addresses.js'
import type { Gateways } from './gateways.js'
import { mandatesInForce, withoutMandate } from './mandates.js'

export interface PortalDependencies {
  readonly gateways: Gateways
  /** Throws a `Refusal` where nobody could come back. */
  readonly addresses: () => Addresses
}

export function portalOf(
  { gateway, agreement }: Pick<Subscription, 'gateway' | 'agreement'>,
  dependencies: PortalDependencies,
): Promise<string> {
  if (gateway !== undefined && agreement !== undefined) {
    return opened(gateway, { agreement }, 'id', dependencies)
  }
  throw none('id')
}

/** The same for what a payer agreed to. */
export async function mandatePortalOf(
  { userId, gateway }: { readonly userId: number; readonly gateway: string },
  { knex, ...dependencies }: PortalDependencies & { readonly knex: Knex },
): Promise<string> {
  const row = await mandatesInForce(knex, userId).where({ gateway }).first()
  if (!row?.mandate) throw none('gateway')
  const { mandate } = row
  return opened(gateway, { mandate }, 'gateway', dependencies)
}

async function opened(
  name: string,
  what: Omit<PortalRequest, 'returnUrl'>,
  param: string,
  { gateways, addresses }: PortalDependencies,
): Promise<string> {
  const gateway = gateways.reporting(name)
  if (gateway?.plugin.portal === undefined) throw none(param)
  const { title } = gateway
  const page = what.agreement === undefined ? 'wallet' : 'subscriptions'
  const returnUrl = `${addresses().pages}/${page}`
  const { url } = await gateway.plugin.portal({ ...what, returnUrl }).catch((error) => {
    const cause =
      what.mandate === undefined ? error : new Error(withoutMandate(what.mandate, error))
    throw new Refusal('payment_failed', { gateway: title, param }, { cause })
  })
  return url
}

function none(param: string): Refusal {
  const reason = 'There is no page of a provider for this.'
  return new Refusal('invalid_field', { reason, param })
}
