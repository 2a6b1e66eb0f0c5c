/**
 * Access tokens: what scripts show instead of a session, with or without `Bearer`. A user has several, each with a name,
 * scopes and an end, kept as SHA-256 only. Who one speaks for is read from the database each time, so that one that was
 * ended anywhere counts nowhere.
 */
import { hash, randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock, Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { AccessToken, AccessTokens, AccessTokenView, AccessTokenWish } from './identity.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 32
const dayMs = 24 * 3_600_000
const perUserMax = 20
const shape = /^(?:bearer\s+)?([A-Za-z0-9]{32})$/i

const whoIs = `
  SELECT u.id, u.username, u.role, u."group", t.id AS token_id, t.name, t.scopes
  FROM access_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.token_hash = $1 AND t.expires_at > $2 AND u.status = 1 AND u.deleted_at IS NULL`

type Replacing = Pick<AccessTokenWish, 'userId' | 'name' | 'sessionId'>
type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface AccessTokenDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly settings: Settings
  /** Hears of every use. */
  readonly used: (id: number, address: string) => void
}

export interface ShownTokens {
  /** The token a request shows; undefined: none, and a session may speak for it. */
  shownBy(headers: Headers): string | undefined
  /** Undefined: nobody has this token any more, or its time is over. */
  principal(token: string, address?: string): Promise<Principal | undefined>
}

export function accessTokens(dependencies: AccessTokenDependencies): AccessTokens & ShownTokens {
  const { database, clock, settings, used } = dependencies
  const { knex } = database

  function lifetimes() {
    const daysMax = settings.number('accessTokenDaysMax')
    return { days: Math.min(settings.number('accessTokenDaysDefault'), daysMax), daysMax }
  }

  /** In Unix milliseconds. */
  function endOf(lifetimeDays = lifetimes().days): number {
    const { daysMax } = lifetimes()
    if (lifetimeDays <= daysMax) return clock.now() + lifetimeDays * dayMs
    const reason = `lifetime_days must be at most ${daysMax}.`
    throw new Refusal('invalid_field', { reason, param: 'lifetime_days' })
  }

  async function insert(wish: AccessTokenWish, trx: Knex.Transaction): Promise<AccessToken> {
    const { userId, name, scopes, lifetimeDays } = wish
    const token = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
    const [row] = await trx('access_tokens')
      .insert({
        user_id: userId,
        name,
        token_hash: hash('sha256', token, 'buffer'),
        scopes: [...new Set(scopes)],
        created_at: new Date(clock.now()),
        expires_at: new Date(endOf(lifetimeDays)),
      })
      .returning(columns)
    return { ...viewOf(row, clock.now()), token }
  }

  async function create(wish: AccessTokenWish): Promise<AccessToken> {
    return knex.transaction(async (trx) => {
      await lockOwner(wish, trx)
      const names = await namesOf(wish.userId, trx)
      if (names.includes(wish.name)) {
        throw new Refusal('conflict', { reason: 'An access token has this name.', param: 'name' })
      }
      refuseTooMany(names)
      return insert(wish, trx)
    })
  }

  async function replace(wish: Replacing): Promise<AccessToken> {
    const { userId, name } = wish
    return knex.transaction(async (trx) => {
      await lockOwner(wish, trx)
      await trx('access_tokens').where({ user_id: userId, name }).delete()
      refuseTooMany(await namesOf(userId, trx))
      return insert({ ...wish, scopes: ['all'] }, trx)
    })
  }

  return {
    lifetimes,
    create,
    replace,
    shownBy: ({ authorization }) => shape.exec(String(authorization ?? '').trim())?.[1],
    async principal(token, address = '') {
      const values = [hash('sha256', token, 'buffer'), new Date(clock.now())]
      const { rows } = await database.query({ name: 'identity_access_token', text: whoIs, values })
      const row = rows[0]
      if (row === undefined) return undefined
      const { id: userId, username, role, group, token_id: id, name, scopes } = row
      used(id, address)
      return {
        userId,
        username,
        role,
        group,
        via: 'accessToken',
        accessToken: { id, name, scopes },
      }
    },
    async list(userId) {
      const rows: readonly Row[] = await knex('access_tokens')
        .where('user_id', userId)
        .orderBy('id')
        .select(columns)
      return rows.map((row) => viewOf(row, clock.now()))
    },
    async end(userId, which, trx) {
      const [ended] = await (trx ?? knex)('access_tokens')
        .where({ user_id: userId, ...which })
        .delete()
        .returning(['id', 'name'])
      return ended
    },
    async endAll(userId, trx) {
      await trx('access_tokens').where('user_id', userId).delete()
    },
  }
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

interface Row {
  readonly id: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly last_used_address: string
}

const columns = [
  'id',
  'name',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'last_used_address',
] as const satisfies readonly (keyof Row)[]

function viewOf(row: Row, now: number): AccessTokenView {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: seconds(row.created_at),
    expires_at: seconds(row.expires_at),
    last_used_at: row.last_used_at === null ? 0 : seconds(row.last_used_at),
    last_used_address: row.last_used_address,
    expired: row.expires_at.getTime() <= now,
  }
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
