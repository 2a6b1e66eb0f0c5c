/**
 * What was last known of each channel, kept beyond this process: once a minute and at its end one statement writes whatever
 * is news since. Of several processes the newest news stays.
 */
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import type { LastKnown } from './health.js'
import type { Latencies } from './latencies.js'

export interface LastKnownDependencies {
  readonly database: Database
  readonly latencies: Pick<Latencies, 'since'>
  readonly clock: Clock
  readonly log: Log
}

interface Trouble {
  /** Of the clock that only grows. */
  readonly at: number
  readonly reason: string
}

interface News {
  readonly id: number
  readonly at: number
  readonly ms: number | null
  readonly reason: string
}

const reasonMax = 500

export function lastKnown({ database, latencies, clock, log }: LastKnownDependencies) {
  const { knex } = database
  const troubles = new Map<number, Trouble>()
  let written = Number.NEGATIVE_INFINITY

  /** Of each channel the newer of its last success and its last failure. */
  function news(): readonly News[] {
    const found = new Map<number, News>()
    for (const { channelId: id, at, ms } of latencies.since(written)) {
      found.set(id, { id, at, ms, reason: '' })
    }
    for (const [id, { at, reason }] of troubles) {
      const known = found.get(id)
      if (known === undefined || known.at < at)
        found.set(id, { id, at, ms: known?.ms ?? null, reason })
    }
    return [...found.values()].sort((one, other) => one.id - other.id)
  }

  /** What cannot be written now is news the next time too. */
  async function write(): Promise<void> {
    const begun = clock.monotonic()
    const rows = news()
    const told = new Map(troubles)
    if (rows.length > 0) await store(rows)
    written = begun
    for (const [id, one] of told) if (troubles.get(id) === one) troubles.delete(id)
  }

  async function store(rows: readonly News[]): Promise<void> {
    const offset = clock.now() - clock.monotonic()
    const moments = rows.map(({ at }) => new Date(at + offset).toISOString())
    const texts = rows.map(({ reason }) => persistentText(reason).slice(0, reasonMax))
    const latencyMs = rows.map(({ ms }) => (ms === null ? null : Math.round(ms)))
    const ids = rows.map(({ id }) => id)
    await knex.raw(upsert, [ids, moments, latencyMs, texts] as readonly Knex.Value[])
  }

  return {
    failed(channelId: number, at: number, reason: string): void {
      troubles.set(channelId, { at, reason: reason || 'It failed.' })
    },
    write,
    async writeLast(): Promise<void> {
      await write().catch((err) => log.error({ err }, 'the health of channels was not kept'))
    },
    async of(ids: readonly number[]): Promise<ReadonlyMap<number, LastKnown>> {
      const rows = await knex<StoredRow>('channel_health').whereRaw('channel_id = ANY(?::int[])', [
        [...ids],
      ])
      return new Map(rows.map((row) => [row.channel_id, knownOf(row)]))
    },
  }
}

interface StoredRow {
  readonly channel_id: number
  readonly known_at: Date
  readonly well: boolean
  readonly latency_ms: number | null
  readonly reason: string
}

function knownOf({ known_at, well, latency_ms, reason }: StoredRow): LastKnown {
  return { at: known_at.getTime(), well, ms: latency_ms ?? undefined, reason }
}

/** Channels that are gone by now have no row. */
const upsert = `
  INSERT INTO channel_health AS known (channel_id, known_at, well, latency_ms, reason)
  SELECT news.id, news.at, news.reason = '', news.ms, news.reason
  FROM unnest(?::int[], ?::timestamptz[], ?::int[], ?::text[]) AS news (id, at, ms, reason)
  JOIN channels ON channels.id = news.id
  ORDER BY news.id
  ON CONFLICT (channel_id) DO UPDATE SET
    known_at = excluded.known_at, well = excluded.well, reason = excluded.reason,
    latency_ms = COALESCE(excluded.latency_ms, known.latency_ms)
  WHERE excluded.known_at > known.known_at`
