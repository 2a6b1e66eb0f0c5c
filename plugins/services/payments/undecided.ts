/**
 * Automatic orders whose outcome is not known: charged again under their number, which takes nothing more, until they are
 * decided. Where nothing may be charged now their providers are only queried.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import { type AttemptDependencies, attempted } from './attempt.js'
import { canCharge, type Gateways } from './gateways.js'
import { expired, query } from './reconciling.js'
import type { OrderRow } from './rows.js'

export interface UndecidedDependencies extends AttemptDependencies {
  readonly gateways: Gateways
  readonly clock: Clock
}

interface UndecidedRow extends OrderRow {
  /** Null: it was ended. */
  readonly mandate: string | null
  /** The payer can sign in. */
  readonly active: boolean
}

const batch = 50

export async function chargeUndecided(dependencies: UndecidedDependencies): Promise<void> {
  for (const row of await undecided(dependencies)) await decided(row, dependencies)
  await expireWithdrawn(dependencies)
}

/** After a minute, after another, then after twice as long each time, up to an hour. */
async function undecided({ database, clock }: UndecidedDependencies): Promise<UndecidedRow[]> {
  const { rows } = await database.knex.raw(
    `SELECT o.*, m.mandate, u.status = 1 AND u.deleted_at IS NULL AS active
     FROM payment_orders o
     JOIN payment_mandates m ON m.id = o.mandate_id JOIN users u ON u.id = o.user_id
     WHERE o.automatic AND o.state = 'pending' AND o.queried_at <= :now::timestamptz
       - least(greatest(o.queried_at - o.created_at, interval '1 minute'), interval '1 hour')
     ORDER BY o.queried_at LIMIT ${batch}`,
    { now: new Date(clock.now()) },
  )
  return rows
}

async function decided(
  row: UndecidedRow,
  { database, gateways, clock, ...rest }: UndecidedDependencies,
): Promise<void> {
  const claimed = await database
    .knex('payment_orders')
    .where({ order_no: row.order_no, state: 'pending' })
    .update({ queried_at: new Date(clock.now()) })
  if (claimed === 0) return
  const { mandate, active } = row
  const gateway = gateways.named(row.gateway)
  const isBegun = row.checkout_reference !== null && gateway?.plugin.fetch !== undefined
  const mayCharge = active && mandate !== null && gateway?.offer.isTest === row.is_test
  if (mayCharge && !isBegun && canCharge(gateway)) {
    await attempted({ row, mandate, gateway }, { database, ...rest })
  } else {
    await query(row, { gateways, ...rest })
  }
}

/** The payer withdrew what they had agreed to. What is reported later is credited all the same. */
async function expireWithdrawn(dependencies: UndecidedDependencies): Promise<void> {
  const { database, clock } = dependencies
  await database.knex.transaction(async (trx) => {
    const ended = trx('payment_mandates').whereNotNull('ended_at').select('id')
    const withdrawn = trx('payment_orders')
      .where({ automatic: true, state: 'pending' })
      .where('expires_at', '<', new Date(clock.now()))
      .whereIn('mandate_id', ended)
    await expired(withdrawn, 'What its payer had agreed to was withdrawn.', dependencies, trx)
  })
}
