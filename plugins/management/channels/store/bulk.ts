/** Changes to many channels at once, each one transaction: by id, by tag, or all that are switched off. */
import type { Knex } from 'knex'
import type { PartialModelObject, QueryBuilder } from 'objection'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import type { TagChanges } from '../bulk-forms.js'
import { ChannelRow } from '../channel-row.js'
import type { Checks } from './checks.js'
import { type ColumnDependencies, type Columns, statusColumns } from './columns.js'
import type { KeyTable } from './keys.js'
import { channelsMax, lockedWhere, writing } from './writing.js'

/** More names than the models of one tag have. */
const namesMax = 100_000

export type Which = (where: QueryBuilder<ChannelRow>) => void
type StatusChange = Pick<ColumnDependencies, 'now' | 'by'>

/** Numbers are of channels found. */
export interface Bulk {
  setStatus(which: Which, status: number, options: StatusChange): Promise<number>
  setTag(which: Which, tag: string): Promise<number>
  remove(which: Which): Promise<number>
  changeTag(changes: TagChanges): Promise<number>
  /** Changes nothing; every process reads every channel again. */
  touchAll(): Promise<number>
  /** Every model some channel of the tag serves, in order of name. */
  modelsOf(tag: string): Promise<readonly string[]>
}

export const withId =
  (id: number): Which =>
  (where) =>
    where.where('id', id)
export const withIds =
  (ids: readonly number[]): Which =>
  (where) =>
    where.where(among(ids))
export const withTag =
  (tag: string): Which =>
  (where) =>
    where.where('tag', tag)
export const switchedOff: Which = (where) => where.whereNot('status', 1)

export function bulk(services: {
  readonly database: Database
  readonly changes: Changes
  readonly checks: Checks
  readonly keys: KeyTable
}): Bulk {
  const { changes, checks, keys } = services
  const write = writing(services)

  function all(
    which: Which,
    change: (trx: Knex.Transaction, ids: readonly number[]) => PromiseLike<unknown>,
  ): Promise<number> {
    return write(async (trx) => {
      const ids = await lockedWhere(trx, which)
      if (ids.length > 0) await change(trx, ids)
      await changes.note(trx, 'channels', ids)
      return ids.length
    })
  }

  function setStatus(which: Which, status: number, options: StatusChange): Promise<number> {
    const columns = statusColumns(undefined, status, options)
    // What has the status already keeps its reason.
    return all(which, async (trx, ids) => {
      await patchAll(trx, ids, columns).whereNot('status', status)
      if (status === 1) await keys.revive(trx, ids)
    })
  }

  function setTag(which: Which, tag: string): Promise<number> {
    return all(which, (trx, ids) => patchAll(trx, ids, { tag }))
  }

  function remove(which: Which): Promise<number> {
    return all(which, (trx, ids) => ChannelRow.query(trx).where(among(ids)).delete())
  }

  function touchAll(): Promise<number> {
    return write(async (trx) => {
      const rows = await ChannelRow.query(trx).select('id').orderBy('id').limit(channelsMax)
      await changes.note(
        trx,
        'channels',
        rows.map((row) => row.id),
      )
      return rows.length
    })
  }

  async function changeTag({ tag, new_tag, models, groups, ...plain }: TagChanges) {
    checks.overrides(plain)
    const columns: Columns = {
      ...plain,
      ...(models !== undefined && { models }),
      ...(groups !== undefined && { groups }),
      ...(new_tag !== undefined && { tag: new_tag }),
    }
    const change = async (trx: Knex.Transaction, ids: readonly number[]) => {
      if (Object.keys(columns).length > 0) await patchAll(trx, ids, columns)
    }
    return someOf(await all(withTag(tag), change))
  }

  async function modelsOf(tag: string): Promise<readonly string[]> {
    const { rows } = await services.database.knex.raw<{ rows: { model: string | null }[] }>(
      `SELECT DISTINCT model FROM channels LEFT JOIN LATERAL unnest(models) AS model ON true
       WHERE tag = ? LIMIT ?`,
      [tag, namesMax],
    )
    someOf(rows.length)
    return rows.flatMap(({ model }) => model ?? []).sort()
  }

  return { setStatus, setTag, remove, touchAll, changeTag, modelsOf }
}

/** One parameter, however many they are: a statement has room for 65,535. */
function among(ids: readonly number[]): Which {
  return (where) => where.whereRaw('id = ANY(?::int[])', [[...ids]])
}

function patchAll(trx: Knex.Transaction, ids: readonly number[], columns: Columns) {
  return ChannelRow.query(trx)
    .where(among(ids))
    .patch(columns as PartialModelObject<ChannelRow>)
}

/** A tag lives by its channels: one that no channel has is misspelt. */
export function someOf(channels: number): number {
  if (channels > 0) return channels
  throw new Refusal('gone_missing', { what: 'tag', param: 'tag' })
}
