/**
 * The table of notices on their way. A row is written in the transaction of its event. Who delivers it claims it
 * by a lease: no two processes hold one at once, and what a process that died held is claimed again, so that a notice
 * comes at least once.
 */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Notice, NoticeOutcome } from '../../../kernel/contract/notifier.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import { overLimit } from './limit.js'
import type { NewNotice } from './notifications.js'

/** The topic that wakes those who deliver. */
export const outboxTopic = 'outbox'

/** Longer than a delivery may take, its last write included. */
const leaseMs = 60_000

const secondMs = 1_000
const minuteMs = 60 * secondMs
/** Pauses after the first try, the second, and so on; after the last there is none. */
const pausesMs = [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs]
export const attemptsMax = pausesMs.length + 1

export interface NewRow {
  /** Absent: a mail to `address`. */
  readonly userId?: number
  readonly address?: string
  readonly notice: NewNotice
  readonly key?: string
  /** Of a report: what it is of. */
  readonly subject?: string
}

/** A row somebody is to deliver now. */
export interface Claimed {
  readonly id: bigint
  readonly userId?: number
  readonly type: string
  readonly attempts: number
  /** Sealed. */
  readonly payload: string
}

export interface Payload {
  readonly address?: string
  readonly notice: Notice
  readonly subject?: string
}

/** What is delivered apart, so that receivers users name cannot hold up anybody's mail. */
export type Lane = 'notices' | 'reports'

/** The type of every report. */
export const reportType = 'task_report'

export interface OutboxDependencies {
  readonly knex: Knex
  readonly changes: Changes
  readonly secrets: SecretBox
  readonly clock: Clock
  /** How many notices of a kind a user gets within how many minutes; a count of 0: as many as there are. */
  limit(): { readonly count: number; readonly minutes: number }
}

export function createOutbox({ knex, changes, secrets, clock, limit }: OutboxDependencies) {
  const now = () => new Date(clock.now())

  async function put(row: NewRow, trx: Knex.Transaction): Promise<void> {
    const { userId, address, notice, key, subject } = row
    const timestamp = Math.floor(clock.now() / 1000)
    const isLimited = userId !== undefined && notice.type !== reportType
    const refusal = isLimited
      ? await overLimit(trx, userId, notice.type, clock, limit())
      : undefined
    const [made] = await trx('outbox')
      .insert({
        unique_key: key === undefined ? null : `${userId ?? 'mail'}:${key}`,
        user_id: userId ?? null,
        type: notice.type,
        payload: secrets.seal(
          placeOf(userId, notice.type),
          JSON.stringify({ address, subject, notice: { ...notice, id: randomUUID(), timestamp } }),
        ),
        ...{ created_at: now(), next_at: now() },
        ...(refusal !== undefined && { state: 'failed', reason: refusal, finished_at: now() }),
      })
      .onConflict('unique_key')
      .ignore()
      .returning<{ id: bigint }[]>('id')
    if (made !== undefined && refusal === undefined) {
      await changes.note(trx, outboxTopic, String(made.id))
    }
  }

  async function claim(most: number, lane: Lane): Promise<readonly Claimed[]> {
    const { rows } = await knex.raw(claimTexts[lane], {
      ...{ type: reportType, at: now(), until: new Date(clock.now() + leaseMs), most },
    })
    return rows.map((row: ClaimedRow) => ({ ...row, userId: row.user_id ?? undefined }))
  }

  function open({ userId, type, payload }: Claimed): Payload {
    return JSON.parse(secrets.openText(placeOf(userId, type), payload))
  }

  /** What came of a try. A delivery counts in any case; the rest only for who still holds the row. */
  async function settle({ id, attempts }: Claimed, outcome: NoticeOutcome): Promise<void> {
    if (outcome.kind === 'delivered') {
      // Its text is of no use any more.
      const done = { state: 'delivered', reason: '', payload: '', finished_at: now() }
      await knex('outbox')
        .where({ id, state: 'waiting' })
        .update({ ...done, lease_until: null })
      return
    }
    const pauseMs = outcome.kind === 'later' ? pausesMs[attempts - 1] : undefined
    const afterMs = outcome.kind === 'later' ? (outcome.afterMs ?? 0) : 0
    const next =
      pauseMs === undefined
        ? { state: 'failed', finished_at: now() }
        : { next_at: new Date(clock.now() + Math.max(pauseMs, afterMs)) }
    await knex('outbox')
      .where({ id, attempts, state: 'waiting' })
      .update({ ...next, reason: persistentText(outcome.reason), lease_until: null })
  }

  return { put, claim, open, settle }
}

export type Outbox = ReturnType<typeof createOutbox>

interface ClaimedRow extends Omit<Claimed, 'userId'> {
  readonly user_id: number | null
}

const dueText =
  "state = 'waiting' AND next_at <= :at AND (lease_until IS NULL OR lease_until <= :at)"

/** A try counts when it begins, so that a notice which kills its process is not tried for ever. */
const claimed = (found: string) => `
  UPDATE outbox SET lease_until = :until, attempts = attempts + 1
  WHERE id IN (${found} FOR UPDATE SKIP LOCKED)
  RETURNING id, user_id, type, attempts, payload`

/** Reports of one user that are under way at once: receivers that hang delay those of their own user. */
const reportsOfUserMax = 2

const claimTexts: Readonly<Record<Lane, string>> = {
  notices: claimed(
    `SELECT id FROM outbox WHERE ${dueText} AND type <> :type ORDER BY next_at LIMIT :most`,
  ),
  reports: claimed(`
    SELECT id FROM outbox WHERE ${dueText} AND id IN (
      SELECT id FROM (
        SELECT id, next_at, row_number() OVER (PARTITION BY user_id ORDER BY next_at, id) + (
          SELECT count(*) FROM outbox busy
          WHERE busy.user_id = waiting.user_id AND busy.type = :type AND busy.state = 'waiting'
            AND busy.lease_until > :at) AS place
        FROM outbox waiting WHERE ${dueText} AND type = :type) ranked
      WHERE place <= ${reportsOfUserMax} ORDER BY next_at LIMIT :most)`),
}

/** A payload cannot be moved to another user. */
function placeOf(userId: number | undefined, type: string): string {
  return `outbox:${userId ?? 'mail'}.${type}:payload`
}
