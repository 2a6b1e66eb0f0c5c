/** The outbox as people see it: states, tries and reasons, never the text of a notice; and what is old is deleted. */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { OutboxPage, OutboxQuery, OutboxRecord, OutboxState } from './notifications.js'
import { outboxTopic } from './outbox.js'

const dayMs = 86_400_000
const keptDays = { delivered: 1, failed: 7 } as const
const countMax = 10_000
/** Rows of one statement. */
const trimMax = 5_000
const idMax = 2n ** 63n - 1n

interface Row {
  readonly id: bigint
  readonly user_id: number | null
  readonly username: string | null
  readonly type: string
  readonly state: OutboxState
  readonly attempts: number
  readonly reason: string
  readonly created_at: Date
  readonly next_at: Date
  readonly finished_at: Date | null
}

export function createRows(knex: Knex, changes: Changes, clock: Clock) {
  async function page({ userId, state, page, pageSize }: OutboxQuery): Promise<OutboxPage> {
    const wanted = () =>
      knex('outbox').where({
        ...(userId !== undefined && { user_id: userId }),
        ...(state !== undefined && { state }),
      })
    const rows = await wanted()
      .select<Row[]>(...columns, knex.raw(nameText))
      .orderBy('id', 'desc')
      .limit(pageSize)
      .offset((Math.max(page, 1) - 1) * pageSize)
    const counted = await knex
      .count('* as total')
      .from(wanted().select('id').limit(countMax).as('counted'))
      .first()
    return { items: rows.map(recordOf), total: Number(counted?.total ?? 0) }
  }

  async function retry(id: string): Promise<void> {
    const known = /^\d{1,19}$/.test(id) && BigInt(id) <= idMax
    await knex.transaction(async (trx) => {
      const row = known
        ? await trx('outbox').select('state').where({ id }).forUpdate().first()
        : undefined
      if (row === undefined) throw new Refusal('gone_missing', { what: 'notice', param: 'id' })
      if (row.state !== 'failed') {
        const reason = 'Only a notice that failed can be sent anew.'
        throw new Refusal('conflict', { reason, param: 'id' })
      }
      const next_at = new Date(clock.now())
      const anew = { state: 'waiting', attempts: 0, reason: '', finished_at: null, next_at }
      await trx('outbox').where({ id }).update(anew)
      await changes.note(trx, outboxTopic, id)
    })
  }

  async function trim(): Promise<void> {
    for (const [state, days] of Object.entries(keptDays)) {
      const before = new Date(clock.now() - days * dayMs)
      for (let gone = trimMax; gone === trimMax; ) {
        const { rowCount } = await knex.raw(trimText, [state, before, trimMax])
        gone = rowCount ?? 0
      }
    }
  }

  return { page, retry, trim }
}

const columns = [
  ...['id', 'user_id', 'type', 'state', 'attempts', 'reason'],
  ...['created_at', 'next_at', 'finished_at'],
]

const nameText = '(SELECT username FROM users WHERE users.id = outbox.user_id) AS username'

const trimText = `
  DELETE FROM outbox WHERE id IN (
    SELECT id FROM outbox WHERE state = ? AND state <> 'waiting' AND finished_at < ? LIMIT ?)`

function recordOf(row: Row): OutboxRecord {
  return {
    id: String(row.id),
    ...(row.user_id !== null && { userId: row.user_id }),
    username: row.username ?? '',
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    reason: row.reason,
    createdAt: row.created_at,
    nextAt: row.next_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
  }
}
