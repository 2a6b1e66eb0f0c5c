/**
 * Reads the notes of changed rows, each once, and tells the listeners of their topics.
 *
 * Notes become visible in the order of commits, not of ids. Each carries the id of its transaction: a look takes all
 * notes of transactions that may not have been over at the look before, and skips those it has seen.
 */
import type { Clock, Log } from '../contract/kit.js'
import type { Connections } from './connections.js'
import { type EveryListener, type TopicListener, Topics } from './topics.js'

export const changeChannel = 'waybill_changes'

/** Wake-ups this close together are answered by one look, milliseconds. */
const coalesceMs = 100
const pollMs = 5000
const sweepMs = 60_000
/** How long a note is kept: longer than any process stays cut off from its database and lives, milliseconds. */
const keepMs = 24 * 3_600_000

export interface ChangeReaderDependencies {
  readonly connections: Pick<Connections, 'reads' | 'asRead'>
  readonly clock: Clock
  readonly log: Log
}

interface NoteRow {
  /** Null in the one row that stands for "no note". */
  readonly id: bigint | null
  readonly topic: string
  readonly row_id: string
  readonly xact: string
  /** Every transaction before this one was over when the look was taken. */
  readonly horizon: string
}

export class ChangeReader {
  private readonly topics: Topics
  /** Notes from the horizon on that were heard already. */
  private seen = new Set<bigint>()
  private horizon = '0'
  private lookedAt = 0
  private sweptAt = 0
  private failing = false
  private looking: Promise<void> | undefined
  private lookingNext: Promise<void> | undefined
  private cancelPoll: () => void = () => undefined
  private cancelWake: (() => void) | undefined
  private closed = false

  constructor(private readonly dependencies: ChangeReaderDependencies) {
    this.topics = new Topics(dependencies.log)
    this.lookedAt = dependencies.clock.monotonic()
    this.sweptAt = this.lookedAt
  }

  /** Everything that commits from now on will be heard; what is older is not. */
  async start(): Promise<void> {
    const { rows } = await this.dependencies.connections.reads.query<{ horizon: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
    )
    this.horizon = rows[0]?.horizon ?? '0'
    this.pollLater()
  }

  on(topic: string, listener: TopicListener): void {
    this.topics.on(topic, listener)
  }

  onEvery(listener: EveryListener): void {
    this.topics.onEvery(listener)
  }

  /** There may be something new. */
  wake(): void {
    if (this.closed) return
    this.cancelWake ??= this.dependencies.clock.after(coalesceMs, () => {
      this.cancelWake = undefined
      void this.lookQuietly()
    })
  }

  async settled(): Promise<void> {
    await this.look()
    await this.topics.heard()
  }

  async close(): Promise<void> {
    this.closed = true
    this.cancelPoll()
    this.cancelWake?.()
    await Promise.allSettled([this.looking, this.lookingNext])
    await this.topics.heard()
  }

  private pollLater(): void {
    if (this.closed) return
    this.cancelPoll = this.dependencies.clock.after(pollMs, async () => {
      await this.lookQuietly()
      await this.sweep()
      this.pollLater()
    })
  }

  private async lookQuietly(): Promise<void> {
    try {
      await this.look()
      if (this.failing) this.dependencies.log.info({}, 'changes are read again')
      this.failing = false
    } catch (error) {
      if (!this.failing) this.dependencies.log.warn({ err: error }, 'changes cannot be read')
      this.failing = true
    }
  }

  /** Takes a look that begins after this call. */
  private look(): Promise<void> {
    if (!this.looking) {
      this.looking = this.lookOnce().finally(() => {
        this.looking = undefined
      })
      return this.looking
    }
    this.lookingNext ??= this.looking
      .catch(() => undefined)
      .then(() => {
        this.lookingNext = undefined
        return this.look()
      })
    return this.lookingNext
  }

  private async lookOnce(): Promise<void> {
    const { connections, clock, log } = this.dependencies
    const { rows } = await connections.reads.query<NoteRow>(
      connections.asRead({ ...notes, values: [this.horizon] }),
    )
    const silentMs = clock.monotonic() - this.lookedAt
    this.lookedAt = clock.monotonic()
    if (silentMs > keepMs) log.error({ silentMs }, 'changes may have been missed: restart')
    this.take(rows)
  }

  private take(rows: readonly NoteRow[]): void {
    const horizon = rows[0]?.horizon ?? this.horizon
    const kept = new Set<bigint>()
    for (const row of rows) {
      if (row.id === null) continue
      if (!this.seen.has(row.id)) this.topics.add(row.topic, row.row_id)
      if (BigInt(row.xact) >= BigInt(horizon)) kept.add(row.id)
    }
    this.seen = kept
    this.horizon = horizon
    this.topics.tell()
  }

  private async sweep(): Promise<void> {
    const { connections, clock, log } = this.dependencies
    if (this.closed || clock.monotonic() - this.sweptAt < sweepMs) return
    this.sweptAt = clock.monotonic()
    try {
      await connections.reads.query(
        "DELETE FROM changes WHERE created_at < now() - $1 * interval '1 ms'",
        [keepMs],
      )
    } catch (error) {
      log.debug({ err: error }, 'old changes were not removed')
    }
  }
}

/** The join gives one row with the horizon where there is no note. */
const notes = {
  name: 'changes',
  text: `SELECT c.id, c.topic, c.row_id, c.xact::text AS xact,
      pg_snapshot_xmin(pg_current_snapshot())::text AS horizon
    FROM (VALUES (1)) AS one LEFT JOIN changes c ON c.xact >= $1::text::xid8
    ORDER BY c.id`,
}
