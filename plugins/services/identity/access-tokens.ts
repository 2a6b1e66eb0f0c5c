/**
 * Access tokens: what scripts show instead of a session, with or without `Bearer`. A user has several, each with a name,
 * scopes and an end, kept as SHA-256 only. Who one speaks for is read from the database each time, so that one that was
 * ended anywhere counts nowhere.
 */
import { hash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock, Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { columns, type Row, viewOf } from './access-token-rows.js'
import { createToken, replaceToken } from './access-token-writes.js'
import { countCredit } from './daily-credit.js'
import type { AccessTokens, AccessTokenView } from './identity.js'

const dayMs = 24 * 3_600_000
const shape = /^(?:bearer\s+)?([A-Za-z0-9]{32})$/i

const whoIs = `
  SELECT u.id, u.username, u.role, u."group", t.id AS token_id, t.name, t.scopes, t.daily_credit
  FROM access_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.token_hash = $1 AND t.expires_at > $2 AND u.status = 1 AND u.deleted_at IS NULL`

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
  const { database, clock, settings } = dependencies
  const { knex } = database
  const writing = { knex, clock, endOf: (days?: number) => endOf(days, clock.now(), settings) }
  return {
    lifetimes: () => lifetimesOf(settings),
    create: (wish) => createToken(wish, writing),
    replace: (wish) => replaceToken(wish, writing),
    shownBy: ({ authorization }) => shape.exec(String(authorization ?? '').trim())?.[1],
    principal: (token, address = '') => principalOf(token, address, dependencies),
    list: (userId) => listOf(userId, knex, clock),
    async end(userId, which, trx) {
      const [ended] = await (trx ?? knex)('access_tokens')
        .where({ user_id: userId, ...which })
        .delete()
        .returning(['id', 'name'])
      return ended
    },
    countCredit: (token, quota, trx) => countCredit({ token, quota, at: clock.now() }, trx),
    async endAll(userId, trx) {
      await trx('access_tokens').where('user_id', userId).delete()
    },
  }
}

function lifetimesOf(settings: Settings) {
  const daysMax = settings.number('accessTokenDaysMax')
  return { days: Math.min(settings.number('accessTokenDaysDefault'), daysMax), daysMax }
}

/** In Unix milliseconds. */
function endOf(lifetimeDays: number | undefined, now: number, settings: Settings): number {
  const { days, daysMax } = lifetimesOf(settings)
  if (lifetimeDays === undefined) return now + days * dayMs
  if (lifetimeDays <= daysMax) return now + lifetimeDays * dayMs
  const reason = `lifetime_days must be at most ${daysMax}.`
  throw new Refusal('invalid_field', { reason, param: 'lifetime_days' })
}

async function principalOf(
  token: string,
  address: string,
  { database, clock, used }: AccessTokenDependencies,
): Promise<Principal | undefined> {
  const values = [hash('sha256', token, 'buffer'), new Date(clock.now())]
  const { rows } = await database.query({ name: 'identity_access_token', text: whoIs, values })
  const row = rows[0]
  if (row === undefined) return undefined
  const { id: userId, username, role, group, token_id: id, name, scopes, daily_credit } = row
  used(id, address)
  const dailyCredit = daily_credit === null ? undefined : BigInt(daily_credit)
  const accessToken = { id, name, scopes, ...(dailyCredit !== undefined && { dailyCredit }) }
  return { userId, username, role, group, via: 'accessToken', accessToken }
}

async function listOf(
  userId: number,
  knex: Knex,
  clock: Clock,
): Promise<readonly AccessTokenView[]> {
  const rows: readonly Row[] = await knex('access_tokens')
    .where('user_id', userId)
    .orderBy('id')
    .select(columns)
  return rows.map((row) => viewOf(row, clock.now()))
}
