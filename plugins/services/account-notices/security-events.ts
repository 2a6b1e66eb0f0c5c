/**
 * The table of security events. Of each kind an account keeps its newest hundred, so that a flood of one kind, such as
 * failed sign-ins, pushes out no other; everything goes after the days that the option names.
 */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { SecurityEvent, SecurityEventPage, SecurityEventQuery } from './account-notices.js'
import type { AccountEvent, SecurityEventKind } from './events.js'

const keptOfKind = 100
const dayMs = 86_400_000
/** Failures of so long a time make up one row. */
const countedMs = 3_600_000
/** Rows of one statement. */
const trimMax = 5_000

/** Failures of one account since the last time they were written. */
export interface Failures {
  readonly userId: number
  readonly kind: SecurityEventKind
  readonly address: string
  readonly times: number
}

export interface SecurityEventsDependencies {
  readonly knex: Knex
  readonly clock: Clock
  readonly keptDays: () => number
}

export function securityEvents({ knex, clock, keptDays }: SecurityEventsDependencies) {
  async function put(event: AccountEvent, trx: Knex.Transaction): Promise<void> {
    const { userId, kind, at: address, detail = '' } = event
    const row = { user_id: userId, kind, at: new Date(clock.now()), address, detail }
    await trx('security_events').insert(row)
    await trx.raw(beyondText, [userId, kind, userId, kind, keptOfKind])
  }

  /** Adds to the row of the last hour, or begins a new one. */
  async function putFailures({ userId, kind, address, times }: Failures): Promise<void> {
    await knex.transaction(async (trx) => {
      // The account goes away while failures wait to be written, or two processes write for it at once.
      const user = await trx('users')
        .where('id', userId)
        .whereNull('deleted_at')
        .forNoKeyUpdate()
        .first('id')
      if (user === undefined) return
      const since = new Date(clock.now() - countedMs)
      const { rowCount } = await trx.raw(countText, [times, address, userId, kind, since])
      if (rowCount === 0) await put({ userId, kind, at: address, detail: String(times) }, trx)
    })
  }

  async function page(query: SecurityEventQuery): Promise<SecurityEventPage> {
    const { userId, page, pageSize } = query
    const own = () => knex<Row>('security_events').where('user_id', userId)
    const counted = await own().count<{ readonly rows: bigint }[]>('* as rows')
    const rows = await own()
      .orderBy('id', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { items: rows.map(eventOfRow), total: Number(counted[0]?.rows ?? 0) }
  }

  async function trim(): Promise<void> {
    const before = new Date(clock.now() - keptDays() * dayMs)
    for (let gone = trimMax; gone === trimMax; ) {
      const { rowCount } = await knex.raw(trimText, [before, trimMax])
      gone = rowCount ?? 0
    }
  }

  return { put, putFailures, page, trim }
}

const beyondText = `
  DELETE FROM security_events WHERE user_id = ? AND kind = ? AND id <= (
    SELECT id FROM security_events WHERE user_id = ? AND kind = ?
    ORDER BY id DESC OFFSET ? LIMIT 1)`

const countText = `
  UPDATE security_events SET detail = (detail::bigint + ?)::text, address = ? WHERE id = (
    SELECT id FROM security_events WHERE user_id = ? AND kind = ? AND at > ?
    ORDER BY id DESC LIMIT 1)`

const trimText = `
  DELETE FROM security_events WHERE id IN (
    SELECT id FROM security_events WHERE at < ? LIMIT ?)`

interface Row {
  readonly id: bigint
  readonly user_id: number
  readonly kind: SecurityEventKind
  readonly at: Date
  readonly address: string
  readonly detail: string
}

function eventOfRow({ id, kind, at, address, detail }: Row): SecurityEvent {
  return { id: Number(id), kind, at, address, detail }
}
