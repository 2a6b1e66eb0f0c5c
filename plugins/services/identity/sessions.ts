/**
 * Console sessions: an opaque 256-bit id in an HttpOnly cookie, stored as its SHA-256. How long one lasts is read from the
 * options with each request, as is who stands behind it (AUTH-2).
 */
import type { Knex } from 'knex'
import type { Clock, Log, Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { clearedCookie, sessionCookie } from './cookie.js'
import type { Identity, Session, SessionOpening, SessionView } from './identity.js'
import { boundsOf, isOver } from './session-bounds.js'
import { type SessionEnds, sessionEnds } from './session-ends.js'
import { type SessionLookup, sessionLookup } from './session-lookup.js'
import { drawn, hashOf, type Person, principalOf, viewOf } from './session-rows.js'

export interface SessionDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  /** `COOKIE_SECURE=true`: every way in is HTTPS, whatever the request looks like from here. */
  readonly alwaysSecure: boolean
}

export interface SessionStore extends SessionEnds {
  readonly principal: SessionLookup
  readonly open: Identity['openSession']
  readonly renew: Identity['renewSession']
  readonly list: Identity['sessions']
  readonly clearedCookie: Identity['clearedCookie']
}

export function sessionStore(dependencies: SessionDependencies): SessionStore {
  const { database, clock, settings, alwaysSecure } = dependencies
  const { knex } = database
  const cookie = sessionCookies(dependencies)

  async function open(opening: SessionOpening): Promise<Session> {
    const { userId, method, address, userAgent, secure, epoch } = opening
    const { id, idHash } = drawn()
    const now = new Date(clock.now())
    const person = await knex.transaction(async (trx) => {
      const found = await signedIn(userId, epoch, now, trx)
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

  return {
    principal: sessionLookup(dependencies),
    open,
    renew,
    list,
    ...sessionEnds(dependencies),
    clearedCookie: (secure) => clearedCookie(secure || alwaysSecure),
  }
}

/** Notes the sign-in. Throws a `Refusal` where the account may not sign in, or `epoch` is of before all sessions ended. */
async function signedIn(
  userId: number,
  epoch: number | undefined,
  now: Date,
  trx: Knex.Transaction,
): Promise<Person> {
  const [found] = await trx('users')
    .where({ id: userId, status: 1 })
    .whereNull('deleted_at')
    .update({ last_login_at: now })
    .returning<OpeningRow[]>(['id', 'username', 'role', 'group', 'sign_in_epoch'])
  if (found === undefined) throw new Refusal('account_disabled')
  if (epoch !== undefined && found.sign_in_epoch !== epoch) throw new Refusal('sign_in_expired')
  return found
}

/** The first one over plain HTTP is a warning in the log. */
function sessionCookies({ log, settings, alwaysSecure }: SessionDependencies) {
  let warned = false
  return (id: string, requestSecure: boolean, role: number): string => {
    const secure = requestSecure || alwaysSecure
    if (!secure && !warned) {
      warned = true
      log.warn({}, 'a session cookie was sent over plain HTTP; put HTTPS in front of the gateway')
    }
    return sessionCookie(id, secure, boundsOf(settings, role).absoluteMs / 1000)
  }
}

interface OpeningRow extends Person {
  readonly sign_in_epoch: number
}

const listMax = 200
