/**
 * Console sessions: an opaque 256-bit id in an HttpOnly cookie, stored as its SHA-256. How long one lasts is read from the
 * options with each request, as is who stands behind it (AUTH-2).
 */
import { hash } from 'node:crypto'
import type { Clock, Log, Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { clearedCookie, sessionCookie, sessionIdOf } from './cookie.js'
import type { Identity, Session, SessionOpening, SessionView } from './identity.js'
import { boundsOf, isOver } from './session-bounds.js'
import { drawn, hashOf, type Person, principalOf, type SessionRow, viewOf } from './session-rows.js'

const touchMs = 60_000

const whoIs = `
  SELECT s.created_at, s.last_seen_at, u.id, u.username, u.role, u."group"
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.id_hash = $1 AND s.expires_at > $2 AND u.status = 1 AND u.deleted_at IS NULL`

/** Whoever ends sessions at the same moment goes first. */
const sweepOut = `
  DELETE FROM sessions WHERE id_hash IN (
    SELECT id_hash FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2
    LIMIT 10000 FOR UPDATE SKIP LOCKED)`

const touch = 'UPDATE sessions SET last_seen_at = $2 WHERE id_hash = $1 AND last_seen_at < $2'

export interface SessionDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  /** `COOKIE_SECURE=true`: every way in is HTTPS, whatever the request looks like from here. */
  readonly alwaysSecure: boolean
}

export interface SessionStore {
  /** @param unused asking is no use of the session */
  principal(headers: Headers, secure: boolean, unused?: boolean): Promise<Principal | undefined>
  readonly open: Identity['openSession']
  readonly renew: Identity['renewSession']
  readonly list: Identity['sessions']
  readonly end: Identity['endSession']
  readonly signOut: Identity['signOut']
  readonly cut: Identity['cutSessions']
  readonly clearedCookie: Identity['clearedCookie']
  /** Deletes what ended by itself. */
  sweep(): Promise<void>
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function sessionStore(dependencies: SessionDependencies): SessionStore {
  const { database, clock, log, settings, alwaysSecure } = dependencies
  const { knex } = database
  let warned = false

  async function principal(
    headers: Headers,
    secure: boolean,
    unused = false,
  ): Promise<Principal | undefined> {
    const id = sessionIdOf(headers.cookie, secure || alwaysSecure)
    if (id === undefined) return undefined
    const now = clock.now()
    const idHash = hash('sha256', id, 'buffer')
    const { rows } = await database.query({
      name: 'identity_session',
      text: whoIs,
      values: [idHash, new Date(now)],
    })
    const row: SessionRow | undefined = rows[0]
    if (row === undefined || isOver(row, settings, now)) return undefined
    if (!unused && now - row.last_seen_at.getTime() > touchMs) {
      const values = [idHash, new Date(now)]
      await database.query({ name: 'identity_touch', text: touch, values })
    }
    return principalOf(row, idHash)
  }

  async function open(opening: SessionOpening): Promise<Session> {
    const { userId, method, address, userAgent, secure, epoch } = opening
    const { id, idHash } = drawn()
    const now = new Date(clock.now())
    const person = await knex.transaction(async (trx) => {
      const [found] = await trx('users')
        .where({ id: userId, status: 1 })
        .whereNull('deleted_at')
        .update({ last_login_at: now })
        .returning<OpeningRow[]>(['id', 'username', 'role', 'group', 'sign_in_epoch'])
      if (found === undefined) throw new Refusal('account_disabled')
      if (epoch !== undefined && found.sign_in_epoch !== epoch) {
        throw new Refusal('sign_in_expired')
      }
      await trx('sessions').insert({
        id_hash: idHash,
        user_id: userId,
        created_at: now,
        last_seen_at: now,
        expires_at: new Date(now.getTime() + boundsOf(settings, found.role).absoluteMs),
        address,
        user_agent: userAgent.slice(0, 256),
        method,
      })
      return found
    })
    return { principal: principalOf(person, idHash), cookie: cookie(id, secure, person.role) }
  }

  async function renew(before: Principal, secure: boolean): Promise<Session> {
    const { id, idHash } = drawn()
    const changed = await knex('sessions')
      .where('id_hash', hashOf(before))
      .update({ id_hash: idHash })
    if (changed === 0) throw new Refusal('session_required')
    const principal = { ...before, sessionId: idHash.toString('hex') }
    return { principal, cookie: cookie(id, secure, before.role) }
  }

  async function list(userId: number): Promise<readonly SessionView[]> {
    const now = clock.now()
    const rows = await knex('sessions')
      .join('users', 'users.id', 'sessions.user_id')
      .select('sessions.*', 'users.role')
      .where('user_id', userId)
      .where('expires_at', '>', new Date(now))
      .orderBy('last_seen_at', 'desc')
      .limit(listMax)
    return rows.filter((row) => !isOver(row, settings, now)).map(viewOf)
  }

  function cookie(id: string, requestSecure: boolean, role: number): string {
    const secure = requestSecure || alwaysSecure
    if (!secure && !warned) {
      warned = true
      log.warn({}, 'a session cookie was sent over plain HTTP; put HTTPS in front of the gateway')
    }
    return sessionCookie(id, secure, boundsOf(settings, role).absoluteMs / 1000)
  }

  return {
    principal,
    open,
    renew,
    list,
    async end(userId, sid) {
      if (!uuid.test(sid)) return false
      return (await knex('sessions').where({ user_id: userId, sid }).delete()) > 0
    },
    async signOut(principal) {
      if (principal.sessionId === undefined) return
      await knex('sessions').where('id_hash', hashOf(principal)).delete()
    },
    async cut(userId, trx, except) {
      // First, so that a sign-in that waits for this row finds it changed.
      const [user] = await trx('users')
        .where('id', userId)
        .increment('sign_in_epoch', 1)
        .returning<{ email: string; role: number }[]>(['email', 'role'])
      const all = trx('sessions').where('user_id', userId)
      const others = except === undefined ? all : all.whereNot('id_hash', hashOf(except))
      const ended: EndedRow[] = await others
        .delete()
        .returning(['created_at', 'last_seen_at', 'expires_at'])
      await trx('one_time').where('user_id', userId).delete()
      const email = user?.email.toLowerCase() ?? ''
      await trx('mail_codes').where({ email, purpose: 'reset' }).delete()
      const now = clock.now()
      const isLive = (row: EndedRow) => {
        const person = { ...row, role: user?.role ?? 0 }
        return row.expires_at.getTime() > now && !isOver(person, settings, now)
      }
      return ended.filter(isLive).length
    },
    async sweep() {
      const { idleMs } = boundsOf(settings, 0)
      const values = [new Date(clock.now()), new Date(clock.now() - idleMs)]
      await database.query({ name: 'identity_sweep', text: sweepOut, values })
    },
    clearedCookie: (secure) => clearedCookie(secure || alwaysSecure),
  }
}

interface EndedRow {
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
}

interface OpeningRow extends Person {
  readonly sign_in_epoch: number
}

const listMax = 200
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
