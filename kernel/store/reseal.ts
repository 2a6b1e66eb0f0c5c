/**
 * After a start with a new master key: what the one before sealed is opened and sealed anew where it stands. An envelope
 * names its key, so work that was broken off goes on where it was; a secret somebody changes meanwhile is left alone.
 */
import type { Log } from '../contract/kit.js'
import type { Database } from '../contract/services/database.js'
import type { Schedule } from '../contract/services/schedule.js'
import type { Rotation } from './open-secret-box.js'
import { type SealedColumn, type SealedRow, sealedColumns } from './sealed-places.js'

export interface ResealDependencies {
  readonly rotation: Rotation
  readonly database: Pick<Database, 'knex'>
  readonly schedule: Pick<Schedule, 'everyLeased'>
  readonly log: Log
}

/** What there was of the key before. */
interface Found {
  /** Envelopes of this walk that could be sealed anew. */
  old: number
  /** Of all walks. */
  resealed: number
  /** Places of this walk whose envelope does not open. */
  broken: string[]
}

/** A process that still runs with the key before alone may leave something of it behind later. */
const againMs = 600_000
const rowsAtOnce = 500
const walksMax = 20
const placesLogged = 20

/** Begins and does not wait. Answers how to end it; then the statement under way is the last. */
export function startResealing(dependencies: ResealDependencies): () => void {
  let stopped = false
  const run = () => reseal(dependencies, () => stopped)
  const job = dependencies.schedule.everyLeased('secrets.reseal', againMs, run)
  void job.now()
  return () => {
    stopped = true
    job.stop()
  }
}

/** Walks until a walk finds nothing, since what was read before its resealing may be written back after it. */
export async function reseal(
  { rotation, database, log }: Omit<ResealDependencies, 'schedule'>,
  isStopped: () => boolean,
): Promise<void> {
  const found: Found = { old: 0, resealed: 0, broken: [] }
  const options = { rotation, database, isStopped }
  for (let walks = 0; walks === 0 || found.old > 0; walks += 1) {
    if (walks === walksMax) throw new Error('secrets of the key before keep coming')
    Object.assign(found, { old: 0, broken: [] })
    for (const column of sealedColumns) await walk(options, column, found)
    if (isStopped()) return
  }
  const { resealed, broken } = found
  if (broken.length > 0) return reportBroken(log, rotation, broken)
  await rotation.finish()
  log.info(
    { resealed },
    `every secret is sealed with the new master key; ${rotation.from} can be removed`,
  )
}

function reportBroken(log: Log, { from }: Rotation, broken: readonly string[]): void {
  log.error(
    { count: broken.length, places: broken.slice(0, placesLogged) },
    `these secrets do not open; set them again or remove them, and leave ${from} until then`,
  )
}

interface Walk extends Pick<ResealDependencies, 'rotation' | 'database'> {
  readonly isStopped: () => boolean
}

async function walk(options: Walk, column: SealedColumn, found: Found): Promise<void> {
  let rows = await page(options, column)
  while (rows.length > 0) {
    for (const row of rows) {
      if (options.isStopped()) return
      await resealRow(options, column, row, found)
    }
    if (rows.length < rowsAtOnce) return
    rows = await page(options, column, rows.at(-1))
  }
}

/** Rows as they come, not only those of the old key: no statement has to look through a whole table. */
function page(
  { database: { knex } }: Walk,
  { table, key, column, facts = [] }: SealedColumn,
  last?: SealedRow,
): Promise<readonly SealedRow[]> {
  const rows = knex(table)
    .select(key, column, ...facts)
    .orderBy(key)
    .limit(rowsAtOnce)
  return last === undefined ? rows : rows.where(key, '>', last[key] as string)
}

async function resealRow(
  { rotation, database }: Walk,
  column: SealedColumn,
  row: SealedRow,
  found: Found,
): Promise<void> {
  for (const [member, sealed] of envelopesIn(column, row)) {
    if (typeof sealed !== 'string' || !sealed.startsWith(rotation.oldPrefix)) continue
    const place = column.place(row, member)
    const fresh = anew(rotation, place, sealed)
    if (fresh === undefined) {
      found.broken.push(place)
      continue
    }
    found.old += 1
    found.resealed += await replace(database, column, { row, member, sealed, fresh })
  }
}

function envelopesIn(
  { column, members }: SealedColumn,
  row: SealedRow,
): readonly (readonly [member: string, value: unknown])[] {
  return members ? Object.entries(row[column] as object) : [['', row[column]]]
}

/** Undefined: it does not open. */
function anew({ secrets }: Rotation, place: string, sealed: string): string | undefined {
  try {
    return secrets.seal(place, secrets.openText(place, sealed))
  } catch {
    return undefined
  }
}

interface Replacement {
  readonly row: SealedRow
  readonly member: string
  readonly sealed: string
  readonly fresh: string
}

/** One row at a time, so that it waits for no second lock; only where the envelope is still the one that was read. */
async function replace(
  { knex }: Pick<Database, 'knex'>,
  { table, key, column, members }: SealedColumn,
  { row, member, sealed, fresh }: Replacement,
): Promise<number> {
  const id = { [key]: row[key] }
  if (!members) return knex(table).where(id).where(column, sealed).update(column, fresh)
  return knex(table)
    .where(id)
    .whereRaw('?? ->> ? = ?', [column, member, sealed])
    .update(column, knex.raw('jsonb_set(??, ARRAY[?], to_jsonb(?::text))', [column, member, fresh]))
}
