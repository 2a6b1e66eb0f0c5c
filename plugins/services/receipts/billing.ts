/** Billing details of users. */
import type { Knex } from 'knex'
import { bounds, linesOf, oneLineOf } from './bounds.js'
import type { BillingDetails, Buyer } from './receipts.js'

const none: BillingDetails = { name: '', address: '', taxId: '' }

export async function billingOf(knex: Knex, userId: number): Promise<BillingDetails> {
  const row = await knex('billing_details').where('user_id', userId).first()
  return row === undefined ? none : { name: row.name, address: row.address, taxId: row.tax_id }
}

/** Rejects with a `Refusal` that names the field. */
export async function keepBilling(
  knex: Knex,
  userId: number,
  details: BillingDetails,
  now: Date,
): Promise<BillingDetails> {
  const kept: BillingDetails = {
    name: oneLineOf('name', details.name, bounds.name),
    address: linesOf('address', details.address, bounds.address),
    taxId: oneLineOf('tax_id', details.taxId, bounds.taxId),
  }
  const { name, address, taxId: tax_id } = kept
  const row = { user_id: userId, name, address, tax_id, updated_at: now }
  await knex('billing_details').insert(row).onConflict('user_id').merge()
  return kept
}

/** As of this moment. */
export async function buyerOf(knex: Knex, userId: number): Promise<Buyer> {
  const user = await knex('users').where('id', userId).first('username')
  return { ...(await billingOf(knex, userId)), account: user?.username ?? `user ${userId}` }
}
