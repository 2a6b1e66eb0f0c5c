/** What people change of their own account: one transaction, and a new password ends every other session. */
import type { Knex } from 'knex'
import type { ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Guesses } from '../../services/guesses/index.js'
import type { Identity, UserColumns } from '../../services/identity/index.js'
import type { Verification } from '../../services/verification/index.js'
import type { SelfChanges } from './forms.js'

export interface SelfChangesDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly identity: Identity
  readonly verification: Verification
  readonly guesses: Guesses
}

export type SelfChange = ManagementRequest<unknown, SelfChanges>

/** Answers whether the password was changed. */
export function selfChanging(dependencies: SelfChangesDependencies) {
  const { database, changes, identity, verification, guesses } = dependencies
  const { knex } = database

  async function newPassword(request: SelfChange, caller: Principal) {
    const { password, original_password: original = '' } = request.body
    if (password === undefined) return undefined
    verification.session(request)
    const before = await passwordHash(knex, caller.userId)
    if (before === '') await verification.require(request, 'password_change')
    else await mustKnow(caller, original)
    const context = [
      caller.username,
      request.body.username ?? '',
      await knownBy(caller.userId),
    ].flat()
    return { before, password_hash: await identity.hash(password, context) }
  }

  /** What others could know of them, which no password should be made of. */
  async function knownBy(userId: number): Promise<readonly string[]> {
    const row = await knex('users').where('id', userId).first('display_name', 'email')
    return [row?.display_name ?? '', row?.email ?? '']
  }

  /** Counted before it is verified, like a sign-in. */
  async function mustKnow(caller: Principal, original: string): Promise<void> {
    await guesses.inSession(caller, 'password')
    if (await identity.hasPassword(caller.userId, original)) return
    throw new Refusal('verification_failed', { param: 'original_password' })
  }

  async function write(trx: Knex.Transaction, { caller, patch, before }: Write): Promise<void> {
    const { username, ...columns } = patch
    const isNew = username !== undefined && username !== caller.username
    const wanted = { ...columns, ...(isNew && { username }) }
    const options = before === undefined ? {} : { except: caller, passwordHash: before }
    const changed = await identity.users.change(caller.userId, wanted, trx, options)
    if (!changed) throw new Refusal('conflict', { reason: 'It was changed just now.' })
  }

  return async (request: SelfChange, caller: Principal): Promise<boolean> => {
    const { username, display_name, language, sidebar_modules, first_steps_hidden } = request.body
    if (username !== caller.username) refuseAddress(username)
    const { before, password_hash } = (await newPassword(request, caller)) ?? {}
    const setting = merged(knex, { language, sidebar_modules, first_steps_hidden })
    const fields = Object.entries({ username, display_name, password_hash, setting })
    const patch = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
    if (Object.keys(patch).length === 0) return false
    await knex.transaction((trx) => write(trx, { caller, patch, before }))
    await changes.settled()
    return before !== undefined
  }
}

/** A name that looks like an address would pass for whoever has that. */
function refuseAddress(username: string | undefined): void {
  if (username === undefined || !username.includes('@')) return
  throw new Refusal('invalid_field', { reason: 'username must hold no @.', param: 'username' })
}

interface Write {
  readonly caller: Principal
  readonly patch: UserColumns
  /** Hash of the password before, where a new one is set: nobody else may have changed it meanwhile. */
  readonly before: string | undefined
}

/** Empty: they have none. */
export async function passwordHash(knex: Knex, userId: number): Promise<string> {
  const row = await knex('users').where('id', userId).first('password_hash')
  return row?.password_hash ?? ''
}

/** Into what is stored, where notices have their fields as well. Undefined: nothing is to be changed. */
function merged(knex: Knex, fields: Readonly<Record<string, string | boolean | undefined>>) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (given.length === 0) return undefined
  return knex.raw('setting || ?::jsonb', [JSON.stringify(Object.fromEntries(given))])
}
