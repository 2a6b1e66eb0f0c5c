/**
 * How fast models were over the hours of the last day, and how many of their requests succeeded. A request failed where the
 * gateway or its upstreams are at fault; what is wrong with a request, a key or a balance does not count.
 */
import { sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import { middleOf } from './figures.js'
import type { ModelSpeed, SpeedHour } from './types.js'

const hourSeconds = 3_600
const hours = 24
/** Failures read, the newest first: of an hour they do not reach back to, availability is unknown. */
const failuresMax = 20_000

interface Sums {
  readonly timedTokens: number
  readonly timedMs: number
  readonly requests: ReadonlyMap<number, number>
}

interface Failures {
  /** From this hour on all are counted, Unix seconds. */
  readonly reach: number
  /** By hour and model. */
  readonly counts: ReadonlyMap<string, number>
}

export async function readModelSpeeds(
  read: Read,
  models: readonly string[],
  { now, failuresKept }: { readonly now: number; readonly failuresKept: boolean },
): Promise<ReadonlyMap<string, ModelSpeed>> {
  const since = (Math.floor(now / hourSeconds) - hours + 1) * hourSeconds
  const moments = Array.from({ length: hours }, (_, n) => since + n * hourSeconds)
  const sums = await readSums(read, models, moments)
  const firstTokens = await readFirstTokens(read, models, moments)
  const failures = failuresKept
    ? await readFailures(read, models, since)
    : { reach: Number.POSITIVE_INFINITY, counts: new Map() }
  const speeds = models.flatMap((name) => {
    const own = sums.get(name)
    const steps = moments.map((at) => hourOf(at, own?.requests.get(at) ?? 0, name, failures))
    const wasCalled = own !== undefined || steps.some(({ failed = 0 }) => failed > 0)
    if (!wasCalled) return []
    const tokensPerSecond = own && rateOf(own)
    return [[name, { tokensPerSecond, firstTokenMs: firstTokens.get(name), hours: steps }] as const]
  })
  return new Map(speeds)
}

function hourOf(at: number, requests: number, name: string, failures: Failures): SpeedHour {
  if (at < failures.reach) return { at }
  return { at, requests, failed: failures.counts.get(keyOf(name, at)) ?? 0 }
}

function rateOf({ timedTokens, timedMs }: Sums): number | undefined {
  return timedMs === 0 ? undefined : Math.round((timedTokens / timedMs) * 10_000) / 10
}

const ofModels = `FROM unnest(?::float8[]) AS asked (at)
  JOIN usage_stat_hours s ON s.kind = 'model' AND s.hour = to_timestamp(asked.at) AND s.user_id = 0 AND s.id = 0
  WHERE s.name = ANY (?::text[])`

async function readSums(read: Read, models: readonly string[], moments: number[]) {
  const rows = await read(
    sql(
      `SELECT s.name, json_agg(json_build_array(asked.at, s.requests)) AS requests,
         sum(s.timed_tokens)::float8 AS tokens, sum(s.timed_ms)::float8 AS ms
       ${ofModels} GROUP BY s.name`,
      moments,
      [...models],
    ),
  )
  return new Map<string, Sums>(
    rows.map(({ name, requests, tokens, ms }) => [
      name,
      { requests: new Map(requests), timedTokens: tokens, timedMs: ms },
    ]),
  )
}

/** Half of the streams of a model began within so many milliseconds. */
async function readFirstTokens(read: Read, models: readonly string[], moments: number[]) {
  const rows = await read(
    sql(
      `WITH counted AS (
         SELECT name, entry >> 40 AS bucket, sum(entry & 1099511627775) AS found
         FROM (SELECT s.name, s.first_token ${ofModels}) AS part
         CROSS JOIN LATERAL unnest(first_token) AS entry GROUP BY 1, 2
       ), ranked AS (
         SELECT name, bucket, sum(found) OVER (PARTITION BY name) AS total,
           sum(found) OVER (PARTITION BY name ORDER BY bucket) AS seen FROM counted
       )
       SELECT name, min(bucket)::integer AS bucket FROM ranked WHERE seen * 2 >= total GROUP BY name`,
      moments,
      [...models],
    ),
  )
  return new Map<string, number>(rows.map(({ name, bucket }) => [name, middleOf(bucket)]))
}

async function readFailures(
  read: Read,
  models: readonly string[],
  since: number,
): Promise<Failures> {
  const rows = await read(
    sql(
      // No further than requests that succeeded are counted.
      `WITH newest AS (
         SELECT created_at, model_name, detail -> 'status_code' AS status, detail -> 'further_errors' AS further
         FROM usage_log WHERE type = 5 AND created_at >= to_timestamp(?)
           AND created_at < (SELECT rolled_until FROM usage_mark)
         ORDER BY created_at DESC LIMIT ${failuresMax}
       )
       SELECT extract(epoch FROM date_trunc('hour', created_at, 'UTC'))::float8 AS at, model_name AS name,
         sum(CASE WHEN usage_number(status) >= 500 AND model_name = ANY (?::text[])
           THEN 1 + usage_number(further) ELSE 0 END)::float8 AS failed,
         count(*)::integer AS rows
       FROM newest GROUP BY 1, 2`,
      since,
      [...models],
    ),
  )
  const total = rows.reduce((sum, row) => sum + row.rows, 0)
  const oldest = rows.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
  return {
    // Where there are more, the hour of the oldest is not whole.
    reach: total < failuresMax ? since : oldest + hourSeconds,
    counts: new Map(rows.map(({ at, name, failed }) => [keyOf(name, at), failed])),
  }
}

function keyOf(name: string, at: number): string {
  return `${at} ${name}`
}
