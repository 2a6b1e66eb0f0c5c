/** Reading and changing users: every write is one transaction that ends what the change no longer allows. */
import type { Knex } from 'knex'
import { type QueryBuilder, raw } from 'objection'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Changes, Database } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'
import { containing } from '../../../kernel/store/like.js'
import type { Identity } from '../../services/identity/index.js'
import type { Ledger } from '../../services/ledger/index.js'
import type { NewUserForm, StateAction, UserChanges, UserSearch } from './forms.js'
import { mayEdit, outcomeOf } from './rank.js'
import { states, UserRow } from './user-row.js'

export interface People {
  get(id: number): Promise<UserRow>
  page(search: UserSearch): Promise<{ readonly rows: UserRow[]; readonly total: number }>
  create(form: NewUserForm): Promise<number>
  update(principal: Principal, changes: UserChanges): Promise<void>
  /** Answers the user's role and status afterwards. */
  act(
    principal: Principal,
    id: number,
    action: StateAction,
  ): Promise<{ readonly role: number; readonly status: number }>
}

export interface PeopleTerms {
  readonly database: Database
  readonly changes: Changes
  readonly identity: Identity
  readonly ledger: Ledger
}

export function people({ database, changes, identity, ledger }: PeopleTerms): People {
  const { knex } = database

  async function get(id: number): Promise<UserRow> {
    const row = await UserRow.query(knex).findById(id)
    if (row === undefined) throw missing()
    return row
  }

  async function page(search: UserSearch) {
    const { results, total } = await UserRow.query(knex)
      .where((where) => filter(where, search))
      .orderBy(search.sort_by, search.sort_order)
      .orderBy('id', 'desc')
      .page(Math.max(search.p, 1) - 1, search.page_size)
    return { rows: results, total }
  }

  async function create(form: NewUserForm): Promise<number> {
    const passwordHash = await identity.hash(form.password)
    const { username, display_name, role, group } = form
    const person = { username, displayName: display_name || username, passwordHash, role, group }
    return write((trx) => identity.enroll(person, trx))
  }

  async function update(principal: Principal, { id, password, ...fields }: UserChanges) {
    const passwordHash = password === undefined ? undefined : await identity.hash(password)
    await write(async (trx) => {
      mayEdit(principal, await locked(trx, id))
      const patch = { ...fields, ...(passwordHash && { password_hash: passwordHash }) }
      if (Object.keys(patch).length === 0) return
      await UserRow.query(trx).findById(id).patch(patch).catch(renameTaken)
      if (passwordHash !== undefined) await identity.cutSessions(id, trx)
      await changes.note(trx, 'users', id)
    })
  }

  function act(principal: Principal, id: number, action: StateAction) {
    return write(async (trx) => {
      const user = await locked(trx, id)
      const { role, status } = outcomeOf(principal, user, action)
      await UserRow.query(trx)
        .findById(id)
        .patch({ role, status, ...(action === 'delete' && { deleted_at: raw('now()') }) })
      await ledger.setWalletActive(id, status === states.on, trx)
      if (action !== 'enable') await identity.cutSessions(id, trx)
      await changes.note(trx, 'users', id)
      return { role, status }
    })
  }

  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  return { get, page, create, update, act }
}

/** The user as they stand now; nobody changes them before this transaction ends. */
async function locked(trx: Knex.Transaction, id: number): Promise<UserRow> {
  const row = await UserRow.query(trx).findById(id).whereNull('deleted_at').forUpdate()
  if (row === undefined) throw missing()
  return row
}

function filter(where: QueryBuilder<UserRow>, search: UserSearch): void {
  const { keyword, group, role, status } = search
  if (keyword !== '') {
    const like = containing(keyword)
    where.where((any) => {
      any.where('username', 'ilike', like).orWhere('display_name', 'ilike', like)
      any.orWhere('email', 'ilike', like)
      if (/^\d{1,9}$/.test(keyword)) any.orWhere('id', Number(keyword))
    })
  }
  if (group !== '') where.where('group', group)
  if (role !== 0) where.where('role', role)
  if (status > 0) where.where('status', status).whereNull('deleted_at')
  if (status < 0) where.whereNotNull('deleted_at')
}

function renameTaken(error: unknown): never {
  const taken =
    error instanceof Error && 'constraint' in error && error.constraint === 'users_username_key'
  throw taken
    ? new Refusal('conflict', { reason: 'This user name is taken.', param: 'username' })
    : error
}

function missing(): Refusal {
  return new Refusal('gone_missing', { what: 'user', param: 'id' })
}
