/** Mandates: what payers agreed to be charged by while they are away, kept in the transaction of the payment that brought it. */
import type { Knex } from 'knex'
import type { Mandate } from './automatic.js'
import type { Gateways } from './gateways.js'
import type { OrderRow } from './rows.js'

interface MandateRow {
  readonly id: number
  readonly user_id: number
  readonly gateway: string
  /** Null: it was ended. */
  readonly mandate: string | null
  readonly is_test: boolean
  readonly created_at: Date
  readonly replaced_at: Date | null
  readonly ended_at: Date | null
}

/** Only where the payer agreed when they ordered. `row`: locked; its user is locked here, before any account. */
export async function keepMandate(
  row: OrderRow,
  mandate: string,
  at: Date,
  trx: Knex.Transaction,
): Promise<void> {
  if (!row.keeps_mandate) return
  const { user_id, gateway, order_no, is_test } = row
  await trx('users').where('id', user_id).forNoKeyUpdate().first('id')
  const known = await trx('payment_mandates').where({ order_no }).first('id')
  if (known !== undefined) return
  await mandatesInForce(trx, user_id).where({ gateway }).update({ replaced_at: at })
  const made = { user_id, gateway, mandate, is_test, order_no, created_at: at }
  await trx('payment_mandates')
    .insert(made)
    .catch((error) => {
      throw unquoted(error, mandate)
    })
}

/** An error of the database quotes what was to be written. */
function unquoted(error: unknown, mandate: string): unknown {
  if (!(error instanceof Error)) return error
  const { stack = '' } = error
  error.message = withoutMandate(mandate, error)
  error.stack = stack.replaceAll(mandate, '…')
  return error
}

/** Undefined: there is none in force for payments of this mode. */
export async function currentMandate(
  { userId, gateway, isTest }: { userId: number; gateway: string; isTest: boolean },
  trx: Knex.Transaction,
): Promise<MandateRow | undefined> {
  return mandatesInForce(trx, userId).where({ gateway, is_test: isTest }).first()
}

/** Newest first. */
export async function mandatesOf(
  userId: number,
  gateways: Pick<Gateways, 'states' | 'reporting'>,
  knex: Knex,
): Promise<readonly Mandate[]> {
  const rows = await mandatesInForce(knex, userId).orderBy('id', 'desc')
  const titles = new Map(gateways.states().map(({ name, title }) => [name, title]))
  return rows.map(({ id, gateway, is_test, created_at }) => ({
    ...{ id, gateway, title: titles.get(gateway) ?? gateway, isTest: is_test },
    hasPortal: gateways.reporting(gateway)?.plugin.portal !== undefined,
    createdAt: created_at,
  }))
}

/** Also those that were replaced: no order is charged by them any more. */
export async function endMandates(userId: number, at: Date, trx: Knex.Transaction): Promise<void> {
  await trx('payment_mandates')
    .where('user_id', userId)
    .whereNull('ended_at')
    .update({ mandate: null, ended_at: at })
}

/** Who deleted their account agreed to nothing any more. */
export async function endMandatesOfTheGone(knex: Knex, at: Date): Promise<void> {
  const gone = knex('users').whereNotNull('deleted_at').select('id')
  await knex('payment_mandates')
    .whereNull('ended_at')
    .whereIn('user_id', gone)
    .update({ mandate: null, ended_at: at })
}

/** Providers may quote what they were sent, and nobody is to read it. */
export function withoutMandate(mandate: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(mandate, '…')
}

/** Not ended, and not replaced by a later one. */
export function mandatesInForce(
  knex: Knex,
  userId: number,
): Knex.QueryBuilder<MandateRow, MandateRow[]> {
  return knex<MandateRow>('payment_mandates')
    .where('user_id', userId)
    .whereNull('replaced_at')
    .whereNull('ended_at')
}
