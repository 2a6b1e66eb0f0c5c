/** A subscription may move its user to another group; at its end they go back, unless they were moved on since. */
import type { Knex } from 'knex'
import type { SubscriptionRow } from './rows.js'
import { termsOf } from './terms.js'
import type { Tools } from './tools.js'

const upgradeOf = "terms->>'upgradeGroup'"

/** Other active subscriptions of the user that moved them, the newest last. */
function upgraded(
  { user_id, id }: Pick<SubscriptionRow, 'user_id' | 'id'>,
  trx: Knex.Transaction,
): Promise<SubscriptionRow[]> {
  return trx<SubscriptionRow>('subscriptions')
    .where({ user_id, state: 'active' })
    .whereNot({ id })
    .whereRaw(`${upgradeOf} <> ''`)
    .orderBy('id') as unknown as Promise<SubscriptionRow[]>
}

/** Moves the user, and returns the group they are to come back to. */
export async function upgrade(
  row: SubscriptionRow,
  group: string,
  { users }: Pick<Tools, 'users'>,
  trx: Knex.Transaction,
): Promise<string | null> {
  const { upgradeGroup } = termsOf(row.terms)
  if (upgradeGroup === '') return null
  const other = (await upgraded(row, trx)).at(-1)
  if (group !== upgradeGroup) await users.change(row.user_id, { group: upgradeGroup }, trx)
  const isChained = other !== undefined && group === termsOf(other.terms).upgradeGroup
  return (isChained ? other.previous_group : null) ?? group
}

export async function downgrade(
  row: SubscriptionRow,
  { users }: Pick<Tools, 'users'>,
  trx: Knex.Transaction,
): Promise<void> {
  const { upgradeGroup, downgradeGroup } = termsOf(row.terms)
  if (upgradeGroup === '') return
  const user = await trx('users').where({ id: row.user_id }).first('group')
  if (user?.group !== upgradeGroup) return
  const other = (await upgraded(row, trx)).at(-1)
  const back = downgradeGroup || row.previous_group
  const group = other === undefined ? back : termsOf(other.terms).upgradeGroup
  if (group && group !== upgradeGroup) await users.change(row.user_id, { group }, trx)
}
