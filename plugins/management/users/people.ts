/** Changing users: every write is one transaction that ends what the change no longer allows. */
import type { Knex } from 'knex'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Factors } from '../../services/factors/index.js'
import type { Identity, UserColumns } from '../../services/identity/index.js'
import type { Registration } from '../../services/registration/index.js'
import type { NewUserForm, StateAction, UserChanges } from './forms.js'
import { mayEdit, mustOutrank, mustStillAct, outcomeOf, type Standing } from './rank.js'
import { states, UserRow } from './user-row.js'

export interface People {
  get(id: number): Promise<UserRow>
  create(form: NewUserForm): Promise<number>
  update(principal: Principal, changes: UserChanges): Promise<Changed>
  act(principal: Principal, id: number, action: StateAction): Promise<Changed>
  /** Helps who lost a second factor. */
  removeFactor(principal: Principal, id: number, which: 'totp' | 'passkeys'): Promise<void>
  /** Ends every session of a user, and all they have begun; returns how many sessions were live. */
  endSessions(principal: Principal, id: number): Promise<number>
  /** Parts a user from their mail address (`email`), or from who they are at a provider. */
  unbind(principal: Principal, id: number, binding: string): Promise<void>
}

/** How a user stood before and after. */
interface Changed {
  readonly before: Standing
  readonly after: Standing
}

export interface PeopleDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly identity: Identity
  readonly factors: Factors
  readonly registration: Registration
}

export function people(dependencies: PeopleDependencies): People {
  const { database, changes, identity, factors, registration } = dependencies
  const { knex } = database

  async function get(id: number): Promise<UserRow> {
    return (await UserRow.query(knex).findById(id)) ?? missing()
  }

  async function create(form: NewUserForm): Promise<number> {
    const { username, display_name, role, group } = form
    const passwordHash = await identity.hash(form.password, [username, display_name])
    const person = { username, displayName: display_name || username, passwordHash, role, group }
    return write((trx) => identity.enroll(person, trx))
  }

  async function update(principal: Principal, form: UserChanges): Promise<Changed> {
    const { id, password, ...fields } = form
    const password_hash = password === undefined ? undefined : await hashed(id, password)
    return write(async (trx) => {
      const user = await locked(trx, principal, id)
      mayEdit(principal, user, form)
      const before = standing(user)
      const patch = { ...fields, ...(password_hash && { password_hash }) }
      if (Object.keys(patch).length === 0) return { before, after: before }
      await identity.users.change(id, differing(patch, user), trx)
      return { before, after: { ...before, role: form.role ?? before.role } }
    })
  }

  async function hashed(id: number, password: string): Promise<string> {
    const { username, display_name, email } = await get(id)
    return identity.hash(password, [username, display_name, email])
  }

  function act(principal: Principal, id: number, action: StateAction): Promise<Changed> {
    return write(async (trx) => {
      const before = standing(await locked(trx, principal, id))
      if (action === 'delete') {
        mustOutrank(principal, before)
        await registration.leave(id, trx)
        return { before, after: { role: before.role, status: states.off } }
      }
      const after = outcomeOf(principal, before, action)
      await identity.users.change(id, differing(after, before), trx)
      return { before, after }
    })
  }

  function removeFactor(principal: Principal, id: number, which: 'totp' | 'passkeys') {
    return write(async (trx) => {
      mustOutrank(principal, await locked(trx, principal, id))
      await factors.remove(id, which, trx)
      await identity.cutSessions(id, trx)
    })
  }

  function endSessions(principal: Principal, id: number): Promise<number> {
    return write(async (trx) => {
      mustOutrank(principal, await locked(trx, principal, id))
      return identity.cutSessions(id, trx)
    })
  }

  function unbind(principal: Principal, id: number, binding: string) {
    return write(async (trx) => {
      const user = await locked(trx, principal, id)
      mustOutrank(principal, user)
      const gone = binding === 'email' ? user.email !== '' : await drop(id, binding, trx)
      if (!gone) throw new Refusal('gone_missing', { what: 'binding', param: 'binding_type' })
      const columns = binding === 'email' ? { email: '', email_verified: false } : {}
      await identity.users.change(id, columns, trx)
      await identity.cutSessions(id, trx)
    })
  }

  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  return { get, create, update, act, removeFactor, endSessions, unbind }
}

/**
 * The user as they stand now; nobody changes them before this transaction ends. The caller is looked at once more too:
 * of two who take each other's rights, the later one has none any more.
 */
async function locked(trx: Knex.Transaction, caller: Principal, id: number): Promise<UserRow> {
  const rows = await UserRow.query(trx)
    .whereIn('id', [caller.userId, id])
    .whereNull('deleted_at')
    .orderBy('id')
    .forNoKeyUpdate()
  mustStillAct(
    caller,
    rows.find((row) => row.id === caller.userId),
  )
  return rows.find((row) => row.id === id) ?? missing()
}

async function drop(userId: number, provider: string, trx: Knex.Transaction): Promise<boolean> {
  return (await trx('oauth_identities').where({ user_id: userId, provider }).delete()) > 0
}

function standing({ role, status }: UserRow): Standing {
  return { role, status }
}

/** What is as it was would end sessions for nothing. */
function differing(patch: UserColumns, user: Partial<UserRow>): UserColumns {
  const entries = Object.entries(patch)
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== user[name as keyof UserRow]),
  )
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'user', param: 'id' })
}
