/** Ends at their providers what must not be collected any more: renewals that were switched off, and those of what has ended. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Agreement, Subscriptions } from '../subscriptions/index.js'
import type { Gateways } from './gateways.js'

export interface AgreementDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly gateways: Pick<Gateways, 'reporting' | 'states'>
  readonly subscriptions: Pick<Subscriptions, 'agreementsToEnd' | 'agreementEnded'>
  readonly log: Log
}

/** What a provider refuses now is tried again the next time. A gateway that cannot be called keeps none of the others waiting. */
export async function endAgreements(dependencies: AgreementDependencies): Promise<void> {
  const { gateways, subscriptions } = dependencies
  const callable = gateways
    .states()
    .map(({ name }) => name)
    .filter((name) => canEnd(name, gateways))
  for (const agreement of await subscriptions.agreementsToEnd(callable)) {
    await ended(agreement, dependencies).catch((err) =>
      dependencies.log.error(
        { err, gateway: agreement.gateway, subscription: agreement.subscriptionId },
        'payments that repeat could not be ended at their provider',
      ),
    )
  }
}

function canEnd(name: string, gateways: AgreementDependencies['gateways']): boolean {
  return gateways.reporting(name)?.plugin.unsubscribe !== undefined
}

async function ended(
  { gateway: name, agreement, subscriptionId }: Agreement,
  { database, gateways, subscriptions, log }: AgreementDependencies,
): Promise<void> {
  const gateway = gateways.reporting(name)
  if (gateway?.plugin.unsubscribe === undefined) throw new Error(`"${name}" cannot be called now`)
  await gateway.plugin.unsubscribe(agreement)
  await database.knex.transaction((trx) => subscriptions.agreementEnded(subscriptionId, trx))
  log.info({ gateway: name, subscription: subscriptionId }, 'payments that repeat were ended')
}
