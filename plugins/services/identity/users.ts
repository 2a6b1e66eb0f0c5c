/** Every write to a user's row that is more than a sign-in: one place for what follows from it, and for its announcement. */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Ledger } from '../ledger/index.js'
import { claimName } from './claim-name.js'
import type { ChangeOptions, UserColumns, Users } from './identity.js'
import { changeMany } from './many-users.js'

export interface UsersDependencies {
  readonly ledger: Pick<Ledger, 'setWalletActive'>
  readonly changes: Changes
  readonly clock: Clock
  cutSessions(userId: number, trx: Knex.Transaction, except?: Principal): Promise<number>
  endAccessTokens(userId: number, trx: Knex.Transaction): Promise<void>
}

const enabled = 1
const disabled = 2

/** By which an account is opened, or what it may do: who knew the old state has no place in the new one. */
const endsTokens = ['password_hash', 'role'] as const

/** What is left of an account that was deleted: its row, for the books. */
const gone = { status: disabled, password_hash: '', aff_code: null, secrets: '{}' } as const

export function users(dependencies: UsersDependencies): Users {
  const { ledger, changes, clock, cutSessions, endAccessTokens } = dependencies

  async function change(
    userId: number,
    columns: UserColumns,
    trx: Knex.Transaction,
    { except, passwordHash, status }: ChangeOptions = {},
  ): Promise<boolean> {
    const { username } = columns
    const name = username === undefined ? {} : await claimName(username, trx, userId)
    const row = {
      id: userId,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(status !== undefined && { status }),
    }
    const found = trx('users').where(row).whereNull('deleted_at')
    const next = { ...columns, ...name }
    if (Object.keys(next).length > 0 && (await found.update(next).catch(taken)) === 0) return false
    if (columns.status !== undefined) {
      await ledger.setWalletActive(userId, columns.status === enabled, trx)
    }
    await cut(userId, columns, trx, except)
    await changes.note(trx, 'users', userId)
    return true
  }

  async function cut(
    userId: number,
    columns: UserColumns,
    trx: Knex.Transaction,
    except: Principal | undefined,
  ): Promise<void> {
    const endsAll =
      endsTokens.some((name) => columns[name] !== undefined) || columns.status === disabled
    if (!endsAll && columns.password_off === undefined) return
    await cutSessions(userId, trx, except)
    if (endsAll) await endAccessTokens(userId, trx)
  }

  return {
    change,
    changeMany: changeMany(dependencies),
    async remove(userId, trx) {
      const [user] = await trx('users')
        .where({ id: userId })
        .whereNull('deleted_at')
        .update({ ...gone, deleted_at: new Date(clock.now()) })
        .returning<{ email: string }[]>('email')
      if (user === undefined) return undefined
      await ledger.setWalletActive(userId, false, trx)
      await cutSessions(userId, trx)
      await endAccessTokens(userId, trx)
      await changes.note(trx, 'users', userId)
      return user
    },
    async releaseEmail(email, owner, trx) {
      const others = trx('users')
        .whereRaw("lower(email) = lower(?) AND email <> ''", [email])
        .where('email_verified', false)
        .whereNull('deleted_at')
      if (owner !== undefined) others.whereNot('id', owner)
      await others.update({ email: '' })
    },
    async setInvitationCode(userId, code, trx) {
      await trx('users').where({ id: userId }).update({ aff_code: code })
    },
    async addReward(userId, quota, trx) {
      await trx('users')
        .where({ id: userId })
        .update({
          aff_count: trx.raw('aff_count + 1'),
          aff_quota: trx.raw('aff_quota + ?::bigint', [quota]),
          aff_history: trx.raw('aff_history + ?::bigint', [quota]),
        })
    },
    async setRewards(userId, left, trx) {
      await trx('users').where({ id: userId }).update({ aff_quota: left })
    },
  }
}

const takenReasons: Readonly<Record<string, readonly [reason: string, param: string]>> = {
  users_username_key: ['This user name is taken.', 'username'],
  users_email_key: ['This e-mail address belongs to another account.', 'email'],
}

function taken(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  const [reason, param] = takenReasons[String(constraint)] ?? []
  if (reason === undefined || param === undefined) throw error
  throw new Refusal('conflict', { reason, param })
}
