/** Many users at once: who is meant, whom of them the caller may change, and why the others stay as they are. */
import type { Knex } from 'knex'
import type { Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { idsMax, type UserFilter, type WhoForm } from './many-forms.js'
import { mustStillAct } from './rank.js'
import { userFilter } from './search.js'
import { UserRow } from './user-row.js'

export interface RefusedUser {
  readonly id: number
  readonly name: string
  readonly reason: string
}

export interface Sorted {
  readonly allowed: readonly UserRow[]
  readonly refused: readonly RefusedUser[]
}

/** So many are named in the response; all are counted. */
const namedMax = 100
const idsShown = 20
const missing = 'There is no such user.'
const deleted = 'This user is deleted.'

export function meant(knex: Knex, form: WhoForm): Promise<readonly number[]> | readonly number[] {
  return 'ids' in form ? form.ids : idsOf(knex, form)
}

/**
 * Those of the ids whom `check` lets pass, locked in order of id. The caller is looked at once more under lock: who has lost
 * their rights meanwhile changes nobody.
 */
export async function sorted(
  trx: Knex.Transaction,
  { caller, ids }: { readonly caller: Principal; readonly ids: readonly number[] },
  check: (user: UserRow) => void,
): Promise<Sorted> {
  const rows = await UserRow.query(trx)
    .whereRaw('id = ANY(?::int[])', [[...new Set([...ids, caller.userId])]])
    .orderBy('id')
    .forNoKeyUpdate()
  const byId = new Map(rows.map((row) => [row.id, row]))
  mustStillAct(caller, byId.get(caller.userId))
  const refused: RefusedUser[] = []
  const allowed: UserRow[] = []
  for (const id of ids) {
    const row = byId.get(id)
    if (row === undefined) {
      refused.push({ id, name: '', reason: missing })
      continue
    }
    const reason = reasonOf(row, check)
    if (reason === undefined) allowed.push(row)
    else refused.push({ id, name: row.username, reason })
  }
  return { allowed, refused }
}

export function outcome(changed: number, refused: readonly RefusedUser[]) {
  return { changed, refused_count: refused.length, refused: refused.slice(0, namedMax) }
}

export function idsText(ids: readonly number[]): string {
  const more = ids.length - idsShown
  return ids.slice(0, idsShown).join(' ') + (more > 0 ? ` and ${more} more` : '')
}

export function refusedText(refused: readonly RefusedUser[]): string {
  return refused.length === 0 ? '' : `, ${refused.length} refused`
}

export function parts<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

function reasonOf(row: UserRow, check: (user: UserRow) => void): string | undefined {
  if (row.deleted_at !== null) return deleted
  try {
    check(row)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}

/** Throws `invalid_field` where a filter finds more than one write changes, or others than the person was shown. */
async function idsOf(
  knex: Knex,
  { filter, expected }: { readonly filter: UserFilter; readonly expected?: number },
): Promise<readonly number[]> {
  const rows = await UserRow.query(knex)
    .select('users.id')
    .where((where) => userFilter(where, filter))
    .orderBy('id')
    .limit(idsMax + 1)
  if (rows.length > idsMax) refuse(`More than ${idsMax} users match; narrow the filter.`, 'filter')
  if (expected !== undefined && expected !== rows.length) {
    const now = `${rows.length} users match by now, not ${expected}. Nothing was changed.`
    refuse(now, 'expected')
  }
  return rows.map(({ id }) => id)
}

function refuse(reason: string, param: string): never {
  throw new Refusal('invalid_field', { reason, param })
}
