/** Looking for users: a page at a time, deleted ones included. */
import type { Knex } from 'knex'
import { type QueryBuilder, raw } from 'objection'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { UserSearch } from './forms.js'
import type { UserFilter } from './many-forms.js'
import { UserRow } from './user-row.js'

export interface UserPage {
  readonly rows: UserRow[]
  readonly total: number
}

/** The page is cut out of the ids, so that no more whole rows are read than it shows. */
export async function usersFound(knex: Knex, search: UserSearch): Promise<UserPage> {
  const { p, page_size, sort_by, sort_order } = search
  const found = UserRow.query(knex)
    .select('users.id')
    .where((where) => userFilter(where, search))
  if (sort_by === 'quota') found.leftJoin(raw(wallets), 'wallets.owner_id', 'users.id')
  if (mayMiss.has(sort_by)) found.orderByRaw(`?? ${sides[sort_order]}`, [sort_by])
  else found.orderBy(sort_by, sort_order)
  const page = found.orderBy('id', 'desc').offset((Math.max(p, 1) - 1) * page_size)
  const [ids, total] = await Promise.all([
    page.limit(page_size),
    UserRow.query(knex)
      .where((where) => userFilter(where, search))
      .resultSize(),
  ])
  const rows = await UserRow.query(knex).findByIds(ids.map(({ id }) => id))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { rows: ids.flatMap(({ id }) => byId.get(id) ?? []), total }
}

/** Who never signed in was here least lately, and who has no wallet has least. */
const mayMiss: ReadonlySet<string> = new Set(['last_login_at', 'quota'])
const sides = { asc: 'ASC NULLS FIRST', desc: 'DESC NULLS LAST' } as const

/** Joined as a whole: a look at each user's wallet by itself takes three times as long. */
const wallets = `(
  SELECT owner_id, posted - held AS quota FROM accounts
  WHERE kind = 'wallet' AND period_key = '') AS wallets`

export function userFilter(where: QueryBuilder<UserRow>, search: UserFilter): void {
  const { keyword, group, role, status } = search
  if (keyword !== '') {
    where.where((any) => {
      any.whereRaw('search LIKE lower(?)', [containing(keyword)])
      if (/^\d{1,9}$/.test(keyword)) any.orWhere('id', Number(keyword))
    })
  }
  if (group !== '') where.where('group', group)
  if (role !== 0) where.where('role', role)
  if (status > 0) where.where('status', status).whereNull('deleted_at')
  if (status < 0) where.whereNotNull('deleted_at')
}
