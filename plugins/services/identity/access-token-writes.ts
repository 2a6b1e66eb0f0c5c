/** New access tokens: drawn at random, and stored as their SHA-256 with the owner locked. */
import { hash, randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { columns, type Row, viewOf } from './access-token-rows.js'
import type { AccessToken, AccessTokenWish } from './identity.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 32
const perUserMax = 20

export interface WriteDependencies {
  readonly knex: Knex
  readonly clock: Clock
  /** Unix milliseconds at which a token of this many days ends. */
  endOf(lifetimeDays: number | undefined): number
}

type Replacing = Pick<AccessTokenWish, 'userId' | 'name' | 'sessionId'>

export async function createToken(
  wish: AccessTokenWish,
  dependencies: WriteDependencies,
): Promise<AccessToken> {
  return dependencies.knex.transaction(async (trx) => {
    await lockOwner(wish, trx)
    const names = await namesOf(wish.userId, trx)
    if (names.includes(wish.name)) {
      throw new Refusal('conflict', { reason: 'An access token has this name.', param: 'name' })
    }
    refuseTooMany(names)
    return insert(wish, trx, dependencies)
  })
}

export async function replaceToken(
  wish: Replacing,
  dependencies: WriteDependencies,
): Promise<AccessToken> {
  const { userId, name } = wish
  return dependencies.knex.transaction(async (trx) => {
    await lockOwner(wish, trx)
    await trx('access_tokens').where({ user_id: userId, name }).delete()
    refuseTooMany(await namesOf(userId, trx))
    return insert({ ...wish, scopes: ['all'] }, trx, dependencies)
  })
}

async function insert(
  { userId, name, scopes, lifetimeDays, dailyCredit }: AccessTokenWish,
  trx: Knex.Transaction,
  { clock, endOf }: WriteDependencies,
): Promise<AccessToken> {
  const token = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  const [row] = await trx('access_tokens')
    .insert({
      user_id: userId,
      name,
      token_hash: hash('sha256', token, 'buffer'),
      scopes: [...new Set(scopes)],
      created_at: new Date(clock.now()),
      expires_at: new Date(endOf(lifetimeDays)),
      daily_credit: dailyCredit ?? null,
    })
    .returning(columns)
  return { ...viewOf(row, clock.now()), token }
}

/**
 * Two tokens made at once are counted one after the other. What changes the password, role or state holds the same lock
 * and ends the sessions: a token requested before it is made before it, and ends with it, or not at all.
 */
async function lockOwner({ userId, sessionId }: Replacing, trx: Knex.Transaction): Promise<void> {
  const owner = await trx('users')
    .where({ id: userId, status: 1 })
    .whereNull('deleted_at')
    .forNoKeyUpdate()
    .first('id')
  if (owner === undefined) throw new Refusal('gone_missing', { what: 'user' })
  if (sessionId === undefined) return
  const id_hash = Buffer.from(sessionId, 'hex')
  const session = await trx('sessions').where({ user_id: userId, id_hash }).first('user_id')
  if (session === undefined) throw new Refusal('session_required')
}

async function namesOf(userId: number, trx: Knex.Transaction): Promise<readonly string[]> {
  const rows: readonly Pick<Row, 'name'>[] = await trx('access_tokens')
    .where('user_id', userId)
    .select('name')
  return rows.map(({ name }) => name)
}

function refuseTooMany(held: readonly string[]): void {
  if (held.length < perUserMax) return
  const reason = `There are ${perUserMax} access tokens, as many as one may have. End one first.`
  throw new Refusal('conflict', { reason })
}
