/** Recordings in the database: read, deleted by hand, and deleted when they are too old or too much. */
import type { Knex } from 'knex'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type {
  ClientSide,
  RecordingFacts,
  RecordingsStored,
  StoredRecording,
  UpstreamSide,
} from './recordings.js'
import { opened } from './writer.js'

interface Row {
  readonly user_id: number
  readonly created_at: Date
  readonly level: 'headers' | 'bodies'
  readonly client_sealed: string
  readonly upstream_sealed: string
}

export async function findRecording(
  knex: Knex,
  requestId: string,
): Promise<RecordingFacts | undefined> {
  const row: Row | undefined = await knex('recordings')
    .where({ request_id: requestId })
    .first('user_id', 'created_at', 'level')
  return row && factsOf(row)
}

export async function readRecording(
  knex: Knex,
  secrets: SecretBox,
  requestId: string,
): Promise<StoredRecording | undefined> {
  const row: Row | undefined = await knex('recordings').where({ request_id: requestId }).first()
  if (row === undefined) return undefined
  return {
    ...factsOf(row),
    client: await opened<ClientSide>(secrets, requestId, 'client', row.client_sealed),
    upstream: await opened<UpstreamSide>(secrets, requestId, 'upstream', row.upstream_sealed),
  }
}

function factsOf({ user_id: userId, created_at: createdAt, level }: Row): RecordingFacts {
  return { userId, createdAt, level }
}

export async function storedRecordings(knex: Knex): Promise<RecordingsStored> {
  const { rows } = await knex.raw(
    'SELECT count(*)::integer AS count, coalesce(sum(bytes), 0)::bigint AS bytes, min(created_at) AS oldest FROM recordings',
  )
  const { count, bytes, oldest } = rows[0]
  return { recordings: count, bytes, oldest: oldest ?? undefined }
}

export interface TrimBounds {
  readonly days: number
  readonly bytesMax: number
}

/** So many at once, so that no statement takes long. */
const batch = 500

export async function trimRecordings(knex: Knex, { days, bytesMax }: TrimBounds): Promise<void> {
  await inBatches(knex, `created_at < now() - ? * interval '1 day'`, days)
  await inBatches(
    knex,
    `created_at <= (SELECT max(created_at) FROM (
       SELECT created_at, sum(bytes) OVER (ORDER BY created_at DESC, request_id) AS newer FROM recordings
     ) sums WHERE newer > ?)`,
    bytesMax,
  )
}

async function inBatches(knex: Knex, where: string, value: number): Promise<void> {
  for (;;) {
    const { rowCount } = await knex.raw(
      `DELETE FROM recordings WHERE request_id IN (
         SELECT request_id FROM recordings WHERE ${where} ORDER BY created_at LIMIT ${batch})`,
      [value],
    )
    if (rowCount < batch) return
  }
}

export async function removeAllRecordings(knex: Knex): Promise<number> {
  let removed = 0
  for (;;) {
    const { rowCount } = await knex.raw(
      `DELETE FROM recordings WHERE request_id IN (SELECT request_id FROM recordings LIMIT ${batch})`,
    )
    removed += rowCount
    if (rowCount < batch) return removed
  }
}
