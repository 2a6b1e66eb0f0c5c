/**
 * Access tokens: what scripts show instead of a session, with or without `Bearer`; one per user, kept as SHA-256, and
 * good for 90 days at most. */
import { hash, randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { AccessToken } from './identity.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 32
const lifeMs = 90 * 24 * 3_600_000
const shape = /^(?:bearer\s+)?([A-Za-z0-9]{32})$/i

const whoIs = `
  SELECT id, username, role, "group" FROM users
  WHERE access_token_hash = $1 AND access_token_expires_at > $2 AND status = 1 AND deleted_at IS NULL`

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface AccessTokens {
  /** The token a request shows; undefined: none, and a session may speak for it. */
  shownBy(headers: Headers): string | undefined
  /** Undefined: nobody has this token any more, or its time is over. */
  principal(token: string): Promise<Principal | undefined>
  /** Makes one in place of the one before. */
  renew(userId: number): Promise<AccessToken>
  /** False: there was none. */
  end(userId: number, trx?: Knex.Transaction): Promise<boolean>
}

export function accessTokens(database: Database, clock: Clock): AccessTokens {
  return {
    shownBy: ({ authorization }) => shape.exec(String(authorization ?? '').trim())?.[1],
    async principal(token) {
      const values = [hash('sha256', token, 'buffer'), new Date(clock.now())]
      const { rows } = await database.query({ name: 'identity_access_token', text: whoIs, values })
      const row = rows[0]
      if (row === undefined) return undefined
      const { id: userId, username, role, group } = row
      return { userId, username, role, group, via: 'accessToken' }
    },
    async renew(userId) {
      const token = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
      const expiresAt = new Date(clock.now() + lifeMs)
      const changed = await database
        .knex('users')
        .where({ id: userId, status: 1 })
        .whereNull('deleted_at')
        .update({
          access_token_hash: hash('sha256', token, 'buffer'),
          access_token_tail: token.slice(-4),
          access_token_expires_at: expiresAt,
        })
      if (changed === 0) throw new Refusal('gone_missing', { what: 'user' })
      return { token, expiresAt: Math.floor(expiresAt.getTime() / 1000) }
    },
    async end(userId, trx) {
      const none = { access_token_hash: null, access_token_tail: '', access_token_expires_at: null }
      const held = (trx ?? database.knex)('users')
        .where('id', userId)
        .whereNotNull('access_token_hash')
      return (await held.update(none)) > 0
    },
  }
}
