/** One change to many channels: lists gain and lose names, and the rest is set. Those it would leave without any stay as they are. */
import type { Knex } from 'knex'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { type ColumnDependencies, statusColumns } from './columns.js'
import type { ChannelEdits, EditedMany, ListChange, ManyChanges, Unchanged } from './edits.js'
import type { KeyTable } from './keys.js'
import { lockedWhere, writing } from './writing.js'

type By = Pick<ColumnDependencies, 'now' | 'by'>

export function bulkEdit(services: {
  readonly database: Database
  readonly changes: Changes
  readonly keys: KeyTable
}): (...args: [...Parameters<ChannelEdits['changeMany']>, By]) => Promise<EditedMany> {
  const { changes, keys } = services
  const write = writing(services)

  return async (ids, change, _by, options) =>
    write(async (trx) => {
      const there = await lockedWhere(trx, (where) =>
        where.whereRaw('id = ANY(?::int[])', [[...ids]]),
      )
      const rows = await edited(trx, there, change, options)
      const refused = rows.filter(({ done }) => !done)
      const done = rows.filter((row) => row.done).map(({ id }) => id)
      if (change.status === 1 && done.length > 0) await keys.revive(trx, done)
      await changes.note(trx, 'channels', done)
      return {
        changed: done.length,
        refused: [...gone(ids, there), ...refused.map((row) => unchanged(row))],
      }
    })
}

interface EditedRow {
  readonly id: number
  readonly name: string
  readonly done: boolean
  readonly models: number
  readonly groups: number
}

/** Locked by now; one statement, however many. */
async function edited(
  trx: Knex.Transaction,
  ids: readonly number[],
  change: ManyChanges,
  options: By,
): Promise<readonly EditedRow[]> {
  if (ids.length === 0) return []
  const models = listOf('models', change.models)
  const groups = listOf('groups', change.groups)
  const set = assignments(change, options)
  const { rows }: { readonly rows: readonly EditedRow[] } = await trx.raw(
    `WITH next AS MATERIALIZED (
       SELECT id, name, ${models.sql} AS models, ${groups.sql} AS groups
       FROM channels WHERE id = ANY(?::int[])
     ), done AS (
       UPDATE channels SET models = next.models, groups = next.groups${set.sql}
       FROM next WHERE channels.id = next.id
         AND cardinality(next.models) BETWEEN 1 AND ${namesMax}
         AND cardinality(next.groups) BETWEEN 1 AND ${namesMax}
       RETURNING channels.id
     )
     SELECT id, name, done.id IS NOT NULL AS done,
       cardinality(models) AS models, cardinality(groups) AS groups
     FROM next LEFT JOIN done USING (id) ORDER BY id`,
    [...models.values, ...groups.values, [...ids], ...set.values],
  )
  return rows
}

interface Part {
  readonly sql: string
  readonly values: readonly Knex.RawBinding[]
}

/** In order, each name once; what is added stands at the end. */
function listOf(column: 'models' | 'groups', change: ListChange | undefined): Part {
  if (change === undefined) return { sql: column, values: [] }
  const { replace, add = [], remove = [] } = change
  if (replace !== undefined) return { sql: '?::text[]', values: [[...replace]] }
  const sql = `ARRAY(
    SELECT item FROM unnest(${column} || ?::text[]) WITH ORDINALITY AS list (item, place)
    WHERE item <> ALL(?::text[]) GROUP BY item ORDER BY min(place))`
  return { sql, values: [[...add], [...remove]] }
}

/** A status that is there already keeps its reason. */
function assignments(
  { priority, weight, tag, cost_factor, status }: ManyChanges,
  options: By,
): Part {
  const plain = Object.entries({ priority, weight, tag }).filter(([, value]) => value !== undefined)
  const costs = cost_factor === undefined ? [] : [factorPart(cost_factor)]
  const statuses = status === undefined ? {} : statusColumns(undefined, status, options)
  const parts = [
    ...plain.map(([name, value]) => ({ sql: `, ${name} = ?`, values: [value as string] })),
    ...costs,
    ...Object.entries(statuses).map(([name, value]) => ({
      sql: `, ${name} = CASE WHEN channels.status = ? THEN channels.${name} ELSE ?${casts[name] ?? ''} END`,
      values: [status as number, value as Knex.RawBinding],
    })),
  ]
  return {
    sql: parts.map((part) => part.sql).join(''),
    values: parts.flatMap((part): readonly Knex.RawBinding[] => part.values),
  }
}

function factorPart(factor: string): Part {
  const kept = `coalesce(channels.cost_terms, '{}') - 'factor'`
  if (factor !== '') {
    return {
      sql: `, cost_terms = ${kept} || jsonb_build_object('factor', ?::text)`,
      values: [factor],
    }
  }
  return { sql: `, cost_terms = nullif(${kept}, '{}')`, values: [] }
}

const casts: Readonly<Record<string, string>> = {
  status: '::int',
  status_reason: '::text',
  status_at: '::timestamptz',
}

/** As many names as the form of one channel takes. */
const namesMax = 5_000

function gone(ids: readonly number[], there: readonly number[]): readonly Unchanged[] {
  const found = new Set(there)
  const left = ids.filter((id) => !found.has(id))
  return left.map((id) => ({ id, name: '', reason: 'There is no such channel any more.' }))
}

function unchanged({ id, name, models, groups }: EditedRow): Unchanged {
  if (models === 0) return { id, name, reason: 'It would serve no model any more.' }
  if (groups === 0) return { id, name, reason: 'It would serve no group any more.' }
  const what = models > namesMax ? 'models' : 'groups'
  return { id, name, reason: `It would have more than ${namesMax} ${what}.` }
}
