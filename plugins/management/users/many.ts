/** One change to many users, by ids or whoever a filter finds (decision 95); each as far as the caller may change them one by one. */
import type { Knex } from 'knex'
import type { Answer, ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { idsMax, type ManyUsersForm, type UserFilter } from './many-forms.js'
import { mayEdit, mustOutrank } from './rank.js'
import { userFilter } from './search.js'
import { states, UserRow } from './user-row.js'

type ManyUsersDependencies = Pick<Services, 'database' | 'changes' | 'identity' | 'pricing'>

interface RefusedUser {
  readonly id: number
  readonly name: string
  readonly reason: string
}

/** So many are named in the response; all are counted. */
const namedMax = 100
const idsShown = 20

export async function changeManyUsers(
  request: ManagementRequest<unknown, ManyUsersForm>,
  dependencies: ManyUsersDependencies,
): Promise<Answer> {
  const { database, changes, pricing } = dependencies
  const form = request.body
  const { group, status } = form.changes
  if (group !== undefined && !pricing.groups().includes(group)) {
    refuse(`There is no group "${group}".`, 'changes.group')
  }
  const ids = 'ids' in form ? form.ids : await idsOf(database.knex, form)
  const done = await database.knex.transaction((trx) =>
    changed(trx, { caller: signedIn(request), ids, changes: form.changes }, dependencies),
  )
  await changes.settled()
  const { refused } = done
  const what = [group && `group ${group}`, status && (status === states.on ? 'enable' : 'disable')]
  const left = refused.length === 0 ? '' : `, ${refused.length} refused`
  const detail = `${done.changed} users: ${what.filter(Boolean).join('; ')}${left}`
  return {
    answer: true,
    data: {
      changed: done.changed,
      refused_count: refused.length,
      refused: refused.slice(0, namedMax),
    },
    audit: { object: `users ${idsText(ids)}`, detail },
  }
}

interface Work {
  readonly caller: Principal
  readonly ids: readonly number[]
  readonly changes: ManyUsersForm['changes']
}

/** The caller is looked at once more under lock: who has lost their rights meanwhile changes nobody. */
async function changed(
  trx: Knex.Transaction,
  { caller, ids, changes }: Work,
  { identity }: Pick<Services, 'identity'>,
): Promise<{ readonly changed: number; readonly refused: readonly RefusedUser[] }> {
  const rows = await UserRow.query(trx)
    .whereRaw('id = ANY(?::int[])', [[...new Set([...ids, caller.userId])]])
    .whereNull('deleted_at')
    .orderBy('id')
    .forNoKeyUpdate()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const self = byId.get(caller.userId)
  if (self === undefined || self.status !== states.on || self.role < caller.role) {
    throw new Refusal('forbidden')
  }
  const refused: RefusedUser[] = []
  const allowed: UserRow[] = []
  for (const id of ids) {
    const row = byId.get(id)
    const reason = row === undefined ? gone : hindrance(caller, row, changes)
    if (row !== undefined && reason === undefined) allowed.push(row)
    else refused.push({ id, name: row?.username ?? '', reason: reason ?? gone })
  }
  const { group, status } = changes
  const differing = allowed.filter((row) => row.status !== (status ?? row.status))
  const switched = differing.map(({ id }) => id)
  if (allowed.length > 0) {
    await identity.users.changeMany(
      { ids: allowed.map(({ id }) => id), group, status, switched },
      trx,
    )
  }
  return { changed: allowed.length, refused }
}

const gone = 'There is no such user.'

function hindrance(
  caller: Principal,
  user: UserRow,
  { group, status }: ManyUsersForm['changes'],
): string | undefined {
  try {
    if (group !== undefined) mayEdit(caller, user, { id: user.id, group })
    if (status !== undefined) mustOutrank(caller, user)
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

function idsText(ids: readonly number[]): string {
  const more = ids.length - idsShown
  return ids.slice(0, idsShown).join(' ') + (more > 0 ? ` and ${more} more` : '')
}

function refuse(reason: string, param: string): never {
  throw new Refusal('invalid_field', { reason, param })
}
