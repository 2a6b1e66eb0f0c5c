/**
 * Asks upstreams for their tasks. Tasks of one channel and key are a lane, which has one call under way. A process begins only so
 * many calls at once, and of one platform fewer, so that whoever hangs leaves the others their pace. A lane with much to do gives way every
 * few calls, and a task that cannot be read is asked for alone, so that it keeps nobody else back. Whoever takes tasks moves their next poll on first,
 * which is their lease: two processes never ask for one at once, and what a dead one took is due again.
 */
import type { ByteRoom } from '../../../kernel/contract/bytes.js'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Memory } from '../../../kernel/contract/services/memory.js'
import type { Progress } from '../../../kernel/contract/task.js'
import type { Advance } from './advancing.js'
import type { Asking, Found, Owner } from './asking.js'
import { cancelledAndGone, type EndTask } from './ending.js'
import { refOf, type TaskRow, tasksOf } from './rows.js'

export interface PollingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly asking: Asking
  readonly memory: Memory
  readonly advance: Advance
  readonly end: EndTask
  readonly clock: Clock
  readonly log: Log
}

interface Call {
  readonly lane: Lane
  /** When the call began that is under way. */
  since: number
}

interface Lane {
  readonly channel_id: number
  readonly key_id: number
  readonly platform: string
}

/** Longer than a call may take, with what follows it. */
const leaseMs = 90_000
/** Calls that have just begun, of a process and of one platform. */
const newCallsMax = 24
const newCallsOfPlatformMax = 8
/** A call that takes longer no longer keeps others waiting. */
const newMs = 10_000
/** All calls to one channel. */
const callsOfChannelMax = 8
const pauseMaxMs = 300_000
const retryMs = 5_000
/** Calls of a lane before others have their turn. */
const callsOfTurn = 20
const batchMax = 100
/** How often a task is asked for at once again within a turn. */
const againMax = 3
const gone: ReadonlySet<number> = new Set([404, 410])

export interface Polling {
  /** Begins to ask for everything that is due. Resolves when it has begun. */
  begin(): Promise<void>
  /** The same; resolves when all of it was asked for. */
  round(): Promise<void>
  /** Asks for one task, whenever it is due. Resolves with whether its upstream could be asked. */
  one(row: TaskRow): Promise<boolean>
  /** Resolves when no call is under way. */
  idle(): Promise<void>
  /** Begins no further call; what other processes are to ask for is theirs once its lease is over. */
  stop(): void
}

/** What a lane asks for in one turn. */
interface Turn {
  readonly lane?: Lane
  /** How often each task was asked for. */
  readonly asked: Map<bigint, number>
}

export function createPolling(dependencies: PollingDependencies): Polling {
  const { database, asking, memory, advance, end, clock, log } = dependencies
  const { knex } = database
  const underWay = new Map<string, Call>()
  /** Lane → when it may be asked again, and how often it failed. */
  const paused = new Map<string, { readonly until: number; readonly failures: number }>()
  const running = new Set<Promise<boolean>>()

  let stopped = false

  /** No look at the database begins while another is on its way. */
  async function begin(): Promise<void> {
    void fill([...(await lanes())])
  }

  async function round(): Promise<void> {
    await fill([...(await lanes())])
  }

  /** Whenever one is done the next has its turn. */
  async function fill(waiting: Lane[]): Promise<void> {
    if (stopped) return
    const free = waiting.filter(isFree)
    if (free.length === 0) return
    for (const lane of free) waiting.splice(waiting.indexOf(lane), 1)
    await Promise.all(
      free.map(async (lane) => {
        if (await drained(lane)) waiting.push(lane)
        await fill(waiting)
      }),
    )
  }

  async function lanes(): Promise<readonly Lane[]> {
    const { rows } = await knex.raw(lanesText, [new Date(clock.now())])
    return rows
  }

  function isFree(lane: Lane): boolean {
    const name = nameOf(lane)
    if (underWay.has(name) || (paused.get(name)?.until ?? 0) > clock.now()) return false
    if (!hasRoom(lane)) return false
    underWay.set(name, { lane, since: clock.now() })
    return true
  }

  /** Calls that hang leave room for others after a while, and never take up more than their own channel's share of it. */
  function hasRoom({ platform, channel_id }: Lane): boolean {
    const calls = [...underWay.values()]
    const begun = calls.filter(({ since }) => clock.now() - since < newMs)
    return (
      begun.length < newCallsMax &&
      begun.filter(({ lane }) => lane.platform === platform).length < newCallsOfPlatformMax &&
      calls.filter(({ lane }) => lane.channel_id === channel_id).length < callsOfChannelMax
    )
  }

  /** Resolves with whether something is left to do. */
  function drained(lane: Lane): Promise<boolean> {
    const name = nameOf(lane)
    const done: Promise<boolean> = drain(lane)
      .catch((err: unknown) => {
        log.error({ err, ...lane }, 'tasks of a channel could not be polled')
        return false
      })
      .finally(() => {
        underWay.delete(name)
        running.delete(done)
      })
    running.add(done)
    return done
  }

  /** One batch after the other, until nothing is due, the upstream fails, or the turn is over. */
  async function drain(lane: Lane): Promise<boolean> {
    const turn: Turn = { lane, asked: new Map() }
    for (let calls = 0; calls < callsOfTurn; calls += 1) {
      if (stopped) return false
      const call = underWay.get(nameOf(lane))
      if (call !== undefined) call.since = clock.now()
      const [row] = await claim(lane, 1)
      if (row === undefined) return false
      const owner = await ownerOf(row)
      if (typeof owner === 'string') await unreachable(row, owner)
      else if (!(await ask(owner, [row, ...(await batched(lane, row, owner))], turn))) return false
    }
    return true
  }

  /** A channel whose plugin fails is not there for now. */
  async function ownerOf(row: TaskRow): Promise<Found> {
    try {
      return await asking.owner(row)
    } catch (err) {
      log.error({ err, task: row.task_id }, 'the channel of a task could not be made ready')
      return 'away'
    }
  }

  /** Those asked for together with a task. One whose last call failed goes alone: the fault may be its own. */
  async function batched(
    lane: Lane,
    row: TaskRow,
    { adapter }: Owner,
  ): Promise<readonly TaskRow[]> {
    const batch = Math.min(adapter.poll?.batch ?? 1, batchMax)
    if (!(batch > 1) || row.poll_failures > 0) return []
    return claim(lane, Math.floor(batch) - 1, row.operation)
  }

  /** With an operation: of that one, those whose last call was well. */
  async function claim(lane: Lane, most: number, operation = ''): Promise<readonly TaskRow[]> {
    const now = clock.now()
    const { channel_id, key_id, platform } = lane
    const bindings = { channel_id, key_id, platform, operation, most, now: new Date(now) }
    const { rows } = await knex.raw(claimText, { ...bindings, lease: new Date(now + leaseMs) })
    return rows
  }

  /** A channel that was deleted has nobody to ask: the task has failed. One without a usable key may get one again. */
  async function unreachable(row: TaskRow, found: 'gone' | 'away'): Promise<void> {
    if (found === 'gone') {
      const reason = 'The channel this task was submitted to is gone.'
      await end(row, { state: 'failed', reason, raw: {} })
      return
    }
    await later([row], clock.now() + 60_000, 1)
  }

  /** False: the call failed, which says nothing of the tasks, and others are asked for later as well. */
  async function ask(owner: Owner, rows: readonly TaskRow[], turn: Turn): Promise<boolean> {
    const room = memory.room()
    try {
      return await askWithin(room, owner, rows, turn)
    } finally {
      room.release()
    }
  }

  /** Room for the answer and for what is made of it. */
  async function askWithin(
    room: ByteRoom,
    owner: Owner,
    rows: readonly TaskRow[],
    turn: Turn,
  ): Promise<boolean> {
    const { adapter, channel, key } = owner
    const { lane } = turn
    const poll = adapter.poll!
    const refs = rows.map(refOf)
    const secrets = [key.text]
    let failure: unknown
    let isOfTask = false
    let isGone = false
    let read: readonly Progress[] | undefined
    try {
      const answer = await asking.call(owner, room, (credentials, now) =>
        poll.request(refs, channel, credentials, { now }),
      )
      const isFine = answer.status >= 200 && answer.status <= 299
      const reported = isFine ? poll.read(answer, refs, channel) : undefined
      const refusal = isFine || rows.length > 1 ? undefined : poll.readRefusal?.(answer, refs[0]!)
      if (reported !== undefined && !('failure' in reported)) read = reported
      else if (refusal !== undefined) read = [refusal]
      else {
        failure = reported ?? adapter.fail(answer.status, answer.headers, headOf(answer))
        isOfTask = rows.length === 1 && isAboutTask(answer.status)
      }
      isGone = rows.length === 1 && gone.has(answer.status) && rows[0]!.cancel_at !== null
    } catch (err) {
      failure = err
    }
    if (isGone) {
      await goneAway(rows[0]!)
      return true
    }
    if (read === undefined) {
      await failed(rows, failure, isOfTask ? undefined : lane)
      return isOfTask
    }
    if (lane !== undefined) paused.delete(nameOf(lane))
    await taken(rows, read, { secrets, asked: turn.asked })
    return true
  }

  async function taken(
    rows: readonly TaskRow[],
    reported: readonly Progress[],
    { secrets, asked }: Pick<Turn, 'asked'> & { readonly secrets: readonly string[] },
  ): Promise<void> {
    for (const row of rows) {
      const progress = reported.find(({ ref }) => ref === row.upstream_ref)
      const pollAt = clock.now() + intervalMs(row, clock.now())
      const times = (asked.get(row.id) ?? 0) + 1
      asked.set(row.id, times)
      if (progress === undefined) await later([row], pollAt, 0)
      else
        await taking(row, progress, {
          pollAt: new Date(pollAt),
          secrets,
          isTired: times > againMax,
        })
    }
  }

  /** What one task reports keeps no other back, whatever it is. */
  async function taking(
    row: TaskRow,
    progress: Progress,
    { isTired, ...options }: Parameters<Advance>[2] & { readonly isTired: boolean },
  ): Promise<void> {
    const { again: _, ...once } = progress
    await keeping(row, () => advance(row, isTired ? once : progress, options))
  }

  async function goneAway(row: TaskRow): Promise<void> {
    const { word, raw } = row
    await keeping(row, async () => void (await end(row, { ...cancelledAndGone, word, raw })))
  }

  /** What cannot be kept is no fault of the upstream. */
  async function keeping(row: TaskRow, keep: () => Promise<void>): Promise<void> {
    try {
      await keep()
    } catch (err) {
      log.error({ err, task: row.task_id }, 'a report on a task could not be kept')
      await later([row], clock.now() + retryMs, 1)
    }
  }

  async function failed(rows: readonly TaskRow[], failure: unknown, lane?: Lane): Promise<void> {
    const name = lane === undefined ? '' : nameOf(lane)
    const failures = (paused.get(name)?.failures ?? 0) + 1
    const ms = Math.min(retryMs * 2 ** Math.min(failures - 1, 10), pauseMaxMs)
    const until = clock.now() + Math.max(ms, askedPauseMs(failure))
    // Each as often as it failed itself, so that one nobody can read is seldom asked for.
    const own = ({ poll_failures: times }: TaskRow) =>
      clock.now() + Math.min(retryMs * 2 ** Math.min(times, 10), pauseMaxMs)
    if (lane !== undefined) paused.set(name, { until, failures })
    log.warn(
      { ...lane, failures, ...fieldsOf(failure) },
      'an upstream could not be asked for tasks',
    )
    for (const row of rows) await later([row], Math.max(until, own(row)), 1)
  }

  async function later(rows: readonly TaskRow[], pollAt: number, failures: number): Promise<void> {
    const ids = rows.map(({ id }) => id)
    await tasksOf(knex)
      .whereIn('id', ids as never)
      .where({ billing: 'charged' } as never)
      .update({
        poll_at: new Date(pollAt),
        poll_failures: failures === 0 ? 0 : knex.raw('poll_failures + ?', [failures]),
      } as never)
  }

  return {
    begin,
    round,
    async idle() {
      await Promise.all(running)
    },
    async one(row) {
      const owner = await asking.owner(row)
      if (typeof owner !== 'string') return ask(owner, [row], { asked: new Map() })
      await unreachable(row, owner)
      return false
    },
    stop() {
      stopped = true
    },
  }
}

/** Often at first, seldom once it has gone on for long. */
export function intervalMs({ accepted_at }: Pick<TaskRow, 'accepted_at'>, now: number): number {
  const age = now - (accepted_at?.getTime() ?? now)
  if (age < 60_000) return 3_000
  if (age < 300_000) return 6_000
  if (age < 1_800_000) return 15_000
  return 60_000
}

/** The longest pause an upstream may ask for. */
function askedPauseMs(failure: unknown): number {
  const asked = (failure as { readonly retryAfterMs?: number } | undefined)?.retryAfterMs
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, pauseMaxMs) : 0
}

function fieldsOf(failure: unknown): object {
  return failure instanceof Error ? { err: failure } : { failure }
}

function nameOf({ channel_id, key_id, platform }: Lane): string {
  return `${channel_id} ${key_id} ${platform}`
}

/** The upstream is well and refuses one task: no reason to ask for the others later. */
function isAboutTask(status: number): boolean {
  return status >= 400 && status <= 499 && !laneStatuses.has(status)
}

const laneStatuses: ReadonlySet<number> = new Set([401, 403, 408, 429])

function headOf({ body }: WholeAnswer): Buffer {
  return body.subarray(0, 65_536)
}

/** From lane to lane along the index, never through the tasks of one; who waits longest comes first. */
export const lanesText = `
  WITH RECURSIVE lane AS (
    (SELECT channel_id, key_id FROM tasks WHERE poll_at IS NOT NULL ORDER BY channel_id, key_id LIMIT 1)
    UNION ALL
    SELECT next.channel_id, next.key_id FROM lane, LATERAL (
      SELECT t.channel_id, t.key_id FROM tasks t
      WHERE t.poll_at IS NOT NULL AND (t.channel_id, t.key_id) > (lane.channel_id, lane.key_id)
      ORDER BY t.channel_id, t.key_id LIMIT 1) next
  )
  SELECT lane.channel_id, lane.key_id, due.platform FROM lane, LATERAL (
    SELECT t.platform, t.poll_at FROM tasks t
    WHERE t.channel_id = lane.channel_id AND t.key_id = lane.key_id AND t.poll_at <= ?
    ORDER BY t.poll_at LIMIT 1) due
  ORDER BY due.poll_at`

export const claimText = `
  UPDATE tasks SET poll_at = :lease WHERE id = ANY (ARRAY(
    SELECT id FROM tasks
    WHERE channel_id = :channel_id AND key_id = :key_id AND platform = :platform AND poll_at <= :now
      AND billing = 'charged' AND (:operation = '' OR operation = :operation AND poll_failures = 0)
    ORDER BY poll_at LIMIT :most FOR UPDATE SKIP LOCKED))
  RETURNING *`
