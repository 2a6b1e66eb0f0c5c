/**
 * Results of tasks that ended well are fetched and stored, one after the other, and deleted again when their time is over. Whoever
 * takes one moves its next try on first, which is its lease: what a process that died had taken is due again, and a file that is
 * stored twice has one name.
 */
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PutOutcome, TaskStorage } from '../task-storage/index.js'
import type { ReadContent } from './content.js'
import { wholeResult } from './kept-results.js'
import { keptReason } from './kept-text.js'
import { taskNews } from './news.js'
import { placedTask } from './results.js'
import { type TaskRow, tasksOf } from './rows.js'
import { letGo, type StoredRow, storedOf } from './stored-rows.js'

export interface StoringDependencies {
  readonly knex: Knex
  readonly changes: Pick<Changes, 'note'>
  readonly storage: TaskStorage
  readonly fetching: ReadContent
  readonly clock: Clock
  readonly log: Log
  /** Notifies root that results cannot be stored. */
  alert(place: string, reason: string): Promise<void>
}

/** Longer than fetching and storing one may take. */
const leaseMs = 1_800_000
const atOnceMax = 4
const minuteMs = 60_000
const dayMs = 86_400_000
/** Pauses after the first try, the second, and so on; after the last there is none. */
const pausesMs = [minuteMs / 2, 2 * minuteMs, 10 * minuteMs, 60 * minuteMs, 360 * minuteMs]
/** Tasks of one statement. */
const most = 200

export interface Storing {
  /** Begins what is due, as far as there is room. Resolves when it has begun. */
  begin(): Promise<void>
  /** The same until nothing is due; resolves when all of it is over. */
  round(): Promise<void>
  /** Lets go of files that are older than is wanted, and of those of tasks from before this moment. */
  expire(endedBefore?: Date): Promise<void>
  idle(): Promise<void>
}

type Fetched = { readonly type: string } & PutOutcome

export function createStoring(dependencies: StoringDependencies): Storing {
  const { knex, changes, storage, fetching, clock, log, alert } = dependencies
  const underWay = new Set<Promise<void>>()
  const now = () => new Date(clock.now())

  async function begin(): Promise<void> {
    await taken()
  }

  async function round(): Promise<void> {
    for (let begun = await taken(); begun.length > 0; begun = await taken()) {
      await Promise.all(begun)
    }
  }

  /** What has begun. */
  async function taken(): Promise<readonly Promise<void>[]> {
    const room = atOnceMax - underWay.size
    if (room <= 0) return []
    return (await claim(room)).map(take)
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  async function claim(room: number): Promise<readonly StoredRow[]> {
    const { rows } = await knex.raw(claimText, {
      ...{ at: now(), until: new Date(clock.now() + leaseMs), room },
    })
    return rows
  }

  function take(row: StoredRow): Promise<void> {
    const work = (row.state === 'leaving' ? leave(row) : store(row))
      .catch((err: unknown) => log.error({ err, file: row.name }, 'a result was left as it was'))
      .finally(() => underWay.delete(work))
    underWay.add(work)
    return work
  }

  async function store(file: StoredRow): Promise<void> {
    const row = await tasksOf(knex)
      .where({ id: file.task } as never)
      .first<TaskRow>()
    const outcome = await fetched(row, file)
    if (outcome.kind === 'stored') return mark(row, file, outcome)
    const facts = { task: row.task_id, result: file.result, place: file.place }
    log.warn({ ...facts, reason: outcome.reason }, 'a result could not be stored')
    if (outcome.kind === 'storage') await alert(file.place, outcome.reason)
    await failed(file, outcome)
  }

  async function fetched(row: TaskRow, file: StoredRow): Promise<Fetched> {
    const result = row.results[file.result]
    if (storage.place() === undefined || result === undefined) {
      return { type: '', kind: 'large', reason: 'It is not to be stored any more.' }
    }
    try {
      const whole = await wholeResult(knex, row.id, { ...result, index: file.result })
      const { headers, body: source } = await fetching(placedTask(row), whole, {})
      const type = headers['content-type'] ?? ''
      return { type, ...(await storage.put(file, { source, type })) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // What it is does not change; all else may.
      const kind = error.code === 'task_result_refused' ? 'large' : 'source'
      return { type: '', kind, reason: error.message }
    }
  }

  /** Where it was let go of meanwhile, nothing is marked, and the file leaves. */
  async function mark(row: TaskRow, file: StoredRow, outcome: Fetched): Promise<void> {
    const { type: mime } = outcome
    const bytes = outcome.kind === 'stored' ? String(outcome.bytes) : '0'
    const isMarked = await knex.transaction(async (trx) => {
      await tasksOf(trx)
        .where({ id: row.id } as never)
        .forUpdate()
        .first('id')
      const marked = await heldBy(trx, file).update({
        ...{ state: 'stored', mime, bytes, reason: '', next_at: null, stored_at: now() },
      } as never)
      if (marked === 0) return false
      await tasksOf(trx)
        .where({ id: row.id } as never)
        .update({ stored: trx.raw(storedText, [String(row.id)]) } as never)
      await changes.note(trx, taskNews, row.user_id)
      return true
    })
    if (!isMarked) await leaveNow(file)
  }

  async function failed(file: StoredRow, outcome: PutOutcome): Promise<void> {
    const pauseMs = outcome.kind === 'large' ? undefined : pausesMs[file.tries - 1]
    const reason = outcome.kind === 'stored' ? '' : keptReason(outcome.reason)
    const next =
      pauseMs === undefined
        ? { state: 'failed', next_at: null }
        : { next_at: new Date(clock.now() + pauseMs) }
    const noted = await heldBy(knex, file).update({ ...next, reason } as never)
    if (noted === 0) await leaveNow(file)
  }

  /** It was let go of while it was fetched; nobody writes to it any more. */
  async function leaveNow(file: StoredRow): Promise<void> {
    await heldBy(knex, { ...file, state: 'leaving' }).update({ next_at: now() } as never)
  }

  /** From the store first: where that fails, or the process ends, the row has it done again. */
  async function leave(file: StoredRow): Promise<void> {
    try {
      await storage.remove(file)
    } catch (err) {
      log.warn({ err, file: file.name, place: file.place }, 'a stored result could not be deleted')
      const pauseMs = pausesMs[Math.min(file.tries, pausesMs.length) - 1]!
      await heldBy(knex, file).update({ next_at: new Date(clock.now() + pauseMs) } as never)
      return
    }
    await heldBy(knex, file).delete()
  }

  async function expire(endedBefore?: Date): Promise<void> {
    if (endedBefore !== undefined) {
      const held = knex('task_stored').whereNot('state', 'leaving').select('task')
      await letGoOf(
        knex('tasks').where('finished_at', '<', endedBefore).whereIn('id', held).select('id'),
      )
    }
    const days = storage.days()
    if (days === 0) return
    const before = new Date(clock.now() - days * dayMs)
    const old = knex('task_stored').where('state', 'stored').where('stored_at', '<', before)
    await letGoOf(old.select('task'))
  }

  async function letGoOf(tasks: Knex.QueryBuilder): Promise<void> {
    await knex.transaction(async (trx) => {
      const rows: { id: bigint }[] = await trx('tasks')
        .whereIn('id', tasks.limit(most))
        .orderBy('id')
        .forUpdate()
        .select('id')
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await letGo(trx, ids, now())
    })
  }

  return { begin, round, expire, idle }
}

const claimText = `
  UPDATE task_stored SET next_at = :until, tries = tries + 1
  WHERE (task, result) IN (
    SELECT task, result FROM task_stored
    WHERE next_at <= :at ORDER BY next_at LIMIT :room FOR UPDATE SKIP LOCKED)
  RETURNING *`

const storedText = `
  (SELECT coalesce(array_agg(result ORDER BY result), '{}') FROM task_stored WHERE task = ? AND state = 'stored')`

/** The row, where it is still as whoever holds it took it. */
function heldBy(knex: Knex, { task, result, state, tries }: StoredRow) {
  return storedOf(knex).where({ task, result, state, tries } as never)
}
