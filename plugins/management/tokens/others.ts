/** The API keys of everybody, as admins see them: masked; switched off and on by those who outrank their owner. */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Member } from '../../services/routing/index.js'
import type { OthersSearch } from './forms.js'
import { filter, inState, missing, mustBeUsable } from './keys.js'
import { states, TokenRow } from './token-row.js'

interface Dependencies {
  readonly database: Database
  readonly changes: Changes
  readonly clock: Clock
}

type KeyOwner = Member & { readonly username: string }

const rootRole = 100

export function keysOfOthers({ database, changes, clock }: Dependencies) {
  const { knex } = database

  async function page(search: OthersSearch) {
    const { results, total } = await kept(knex)
      .where((where) => {
        if (search.user > 0) where.where('user_id', search.user)
      })
      .where((where) => filter(where, search))
      .where((where) => inState(where, search.status, new Date(clock.now())))
      .orderBy('id', 'desc')
      .page(Math.max(search.p, 1) - 1, search.page_size)
    return { rows: results, total }
  }

  /** By id; those who are deleted are left out. */
  async function owners(rows: readonly TokenRow[]): Promise<ReadonlyMap<number, KeyOwner>> {
    const ids = [...new Set(rows.map(({ user_id }) => user_id))]
    const found = await knex('users')
      .whereIn('id', ids)
      .whereNull('deleted_at')
      .select('id', 'username', 'role', 'group')
    return new Map(
      found.map(({ id, username, role, group }) => [id, { userId: id, username, role, group }]),
    )
  }

  async function put(caller: Principal, id: number, status: number): Promise<TokenRow> {
    const row = await knex.transaction(async (trx) => {
      const before = (await kept(trx).where({ id }).forNoKeyUpdate().first()) ?? missing()
      await mustOutrank(trx, caller, before.user_id)
      const [after] = await kept(trx).where({ id }).patch({ status }).returning('*')
      if (after === undefined) return missing()
      if (status === states.on) mustBeUsable(after, clock.now())
      await changes.note(trx, 'tokens', id)
      return after
    })
    await changes.settled()
    return row
  }

  return { page, owners, put }
}

/** Root reaches everybody's keys, and everybody their own. */
async function mustOutrank(trx: Knex.Transaction, caller: Principal, ownerId: number) {
  if (caller.role >= rootRole || caller.userId === ownerId) return
  const owner = await trx('users').where({ id: ownerId }).first('role')
  if (owner !== undefined && owner.role >= caller.role) throw new Refusal('forbidden')
}

function kept(from: Knex) {
  return TokenRow.query(from).whereNull('deleted_at')
}
