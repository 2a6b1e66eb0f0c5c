/** Access tokens: what scripts show instead of a session, with or without `Bearer`; one per user, kept as SHA-256. */
import { hash, randomInt } from 'node:crypto'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 32
const shape = /^(?:bearer\s+)?([A-Za-z0-9]{32})$/i

const whoIs = `
  SELECT id, username, role, "group" FROM users
  WHERE access_token_hash = $1 AND status = 1 AND deleted_at IS NULL`

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface AccessTokens {
  /** The token a request shows; undefined: none, and a session may speak for it. */
  shownBy(headers: Headers): string | undefined
  /** Undefined: nobody has this token any more. */
  principal(token: string): Promise<Principal | undefined>
  /** Makes one in place of the one before. */
  renew(userId: number): Promise<string>
}

export function accessTokens(database: Database): AccessTokens {
  return {
    shownBy: ({ authorization }) => shape.exec(String(authorization ?? '').trim())?.[1],
    async principal(token) {
      const values = [hash('sha256', token, 'buffer')]
      const { rows } = await database.query({ name: 'identity_access_token', text: whoIs, values })
      const row = rows[0]
      if (row === undefined) return undefined
      const { id: userId, username, role, group } = row
      return { userId, username, role, group, via: 'accessToken' }
    },
    async renew(userId) {
      const token = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
      const changed = await database
        .knex('users')
        .where({ id: userId, status: 1 })
        .whereNull('deleted_at')
        .update({
          access_token_hash: hash('sha256', token, 'buffer'),
          access_token_tail: token.slice(-4),
        })
      if (changed === 0) throw new Refusal('gone_missing', { what: 'user' })
      return token
    },
  }
}
