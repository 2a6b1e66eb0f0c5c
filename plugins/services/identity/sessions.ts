/**
 * Console sessions: an opaque 256-bit id in an HttpOnly cookie, stored as its SHA-256. A session ends after a day
 * unused and after 30 days at the latest; who stands behind it is read anew with each request (AUTH-2).
 */
import { hash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'
import { clearedCookie, sessionCookie, sessionIdOf } from './cookie.js'
import type { Identity, Session, SignIn } from './identity.js'
import type { PasswordQueue } from './passwords.js'

const idleMs = 24 * 3_600_000
const absoluteMs = 30 * 24 * 3_600_000
const touchMs = 60_000

const whoIs = `
  SELECT s.last_seen_at, u.id, u.username, u.role, u."group"
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.id_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3 AND u.status = 1 AND u.deleted_at IS NULL`

const touch = 'UPDATE sessions SET last_seen_at = $2 WHERE id_hash = $1 AND last_seen_at < $2'

export interface SessionTerms {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly passwords: PasswordQueue
  /** `COOKIE_SECURE=true`: every way in is HTTPS, whatever the request looks like from here. */
  readonly alwaysSecure: boolean
}

export interface SessionStore {
  readonly principal: Identity['principal']
  readonly signIn: Identity['signIn']
  readonly signOut: Identity['signOut']
  readonly cut: Identity['cutSessions']
  readonly clearedCookie: Identity['clearedCookie']
}

export function sessionStore(terms: SessionTerms): SessionStore {
  const { database, clock, log, passwords, alwaysSecure } = terms
  let warned = false

  async function principal(request: Parameters<Identity['principal']>[0]) {
    const id = sessionIdOf(request.headers.cookie, alwaysSecure)
    if (id === undefined) return undefined
    const now = clock.now()
    const idHash = hash('sha256', id, 'buffer')
    const { rows } = await database.query({
      name: 'identity_session',
      text: whoIs,
      values: [idHash, new Date(now), new Date(now - idleMs)],
    })
    const row: SessionRow | undefined = rows[0]
    if (row === undefined) return undefined
    if (now - row.last_seen_at.getTime() > touchMs) {
      const values = [idHash, new Date(now)]
      await database.query({ name: 'identity_touch', text: touch, values })
    }
    return principalOf(row, idHash)
  }

  async function signIn(attempt: SignIn): Promise<Session> {
    const person = await personNamed(database.knex, attempt.username)
    if (!(await passwords.verify(person?.password_hash, attempt.password)) || !person) {
      throw new Refusal('invalid_credentials')
    }
    if (person.status !== 1) throw new Refusal('account_disabled')
    const id = randomBytes(32).toString('base64url')
    const idHash = hash('sha256', id, 'buffer')
    await open(idHash, person.id, attempt)
    return { principal: principalOf(person, idHash), cookie: cookie(id, attempt.secure) }
  }

  async function open(idHash: Buffer, userId: number, attempt: SignIn): Promise<void> {
    const now = new Date(clock.now())
    await database.knex.transaction(async (trx) => {
      await trx('sessions').where('expires_at', '<=', now).delete()
      await trx('users').where({ id: userId }).update({ last_login_at: now })
      await trx('sessions').insert({
        id_hash: idHash,
        user_id: userId,
        created_at: now,
        last_seen_at: now,
        expires_at: new Date(now.getTime() + absoluteMs),
        address: attempt.address,
        user_agent: attempt.userAgent.slice(0, 256),
      })
    })
  }

  function cookie(id: string, requestSecure: boolean): string {
    const secure = requestSecure || alwaysSecure
    if (!secure && !warned) {
      warned = true
      log.warn({}, 'a session cookie was sent over plain HTTP; put HTTPS in front of the gateway')
    }
    return sessionCookie(id, secure, absoluteMs / 1000)
  }

  async function signOut({ sessionId }: Principal): Promise<void> {
    if (sessionId === undefined) return
    await database.knex('sessions').where('id_hash', Buffer.from(sessionId, 'hex')).delete()
  }

  async function cut(userId: number, trx: Knex.Transaction): Promise<void> {
    await trx('sessions').where('user_id', userId).delete()
  }

  return {
    principal,
    signIn,
    signOut,
    cut,
    clearedCookie: (secure) => clearedCookie(secure || alwaysSecure),
  }
}

interface Person {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
}

interface SessionRow extends Person {
  readonly last_seen_at: Date
}

interface PersonRow extends Person {
  readonly status: number
  readonly password_hash: string
}

async function personNamed(knex: Knex, username: string): Promise<PersonRow | undefined> {
  return knex('users')
    .select('id', 'username', 'role', 'group', 'status', 'password_hash')
    .whereRaw('lower(username) = lower(?)', [username])
    .whereNull('deleted_at')
    .first()
}

function principalOf(person: Person, idHash: Buffer): Principal {
  return {
    userId: person.id,
    username: person.username,
    role: person.role,
    group: person.group,
    via: 'session',
    sessionId: idHash.toString('hex'),
  }
}
