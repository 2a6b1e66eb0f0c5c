/** How sessions end: one of a user's, the one in use, all of a user at once, and those that ran out by themselves. */
import type { Knex } from 'knex'
import type { Clock, Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Identity } from './identity.js'
import { boundsOf, isOver } from './session-bounds.js'
import { hashOf } from './session-rows.js'

/** Whoever ends sessions at the same moment goes first. */
const sweepOut = `
  DELETE FROM sessions WHERE id_hash IN (
    SELECT id_hash FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2
    LIMIT 10000 FOR UPDATE SKIP LOCKED)`

interface SessionEndDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly settings: Settings
}

export interface SessionEnds {
  readonly end: Identity['endSession']
  readonly signOut: Identity['signOut']
  readonly cut: Identity['cutSessions']
  /** Deletes what ended by itself. */
  sweep(): Promise<void>
}

export function sessionEnds({ database, clock, settings }: SessionEndDependencies): SessionEnds {
  const { knex } = database

  function isLive(row: EndedRow, role: number): boolean {
    const now = clock.now()
    return row.expires_at.getTime() > now && !isOver({ ...row, role }, settings, now)
  }

  return {
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
      const ended = await endAllOf(userId, trx, except)
      await trx('one_time').where('user_id', userId).delete()
      const email = user?.email.toLowerCase() ?? ''
      await trx('mail_codes').where({ email, purpose: 'reset' }).delete()
      return ended.filter((row) => isLive(row, user?.role ?? 0)).length
    },
    async sweep() {
      const { idleMs } = boundsOf(settings, 0)
      const values = [new Date(clock.now()), new Date(clock.now() - idleMs)]
      await database.query({ name: 'identity_sweep', text: sweepOut, values })
    },
  }
}

/** @param except whose own session stays */
async function endAllOf(
  userId: number,
  trx: Knex.Transaction,
  except: Principal | undefined,
): Promise<readonly EndedRow[]> {
  const all = trx('sessions').where('user_id', userId)
  const others = except === undefined ? all : all.whereNot('id_hash', hashOf(except))
  return others.delete().returning(['created_at', 'last_seen_at', 'expires_at'])
}

interface EndedRow {
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
