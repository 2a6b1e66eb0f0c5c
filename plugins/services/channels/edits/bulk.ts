/** Changes to many channels at once, each one transaction: by id, by tag, or all that are switched off. */
import type { Knex } from 'knex'
import type { PartialModelObject, QueryBuilder } from 'objection'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { ChannelModel } from './channel-model.js'
import type { Checks } from './checks.js'
import { type ColumnDependencies, type Columns, statusColumns } from './columns.js'
import type { ChannelEdits, TagChanges, Which } from './edits.js'
import type { KeyTable } from './keys.js'
import { channelsMax, lockedWhere, writing } from './writing.js'

type StatusChange = Pick<ColumnDependencies, 'now' | 'by'>

export interface Bulk extends Pick<ChannelEdits, 'setTag' | 'remove' | 'changeTag' | 'readAgain'> {
  setStatus(which: Which, status: number, options: StatusChange): Promise<number>
}

type Filter = (where: QueryBuilder<ChannelModel>) => void

export function bulk(services: {
  readonly database: Database
  readonly changes: Changes
  readonly checks: Pick<Checks, 'overrides'>
  readonly keys: KeyTable
}): Bulk {
  const { changes, checks, keys } = services
  const write = writing(services)

  function all(
    which: Which,
    change: (trx: Knex.Transaction, ids: readonly number[]) => PromiseLike<unknown>,
  ): Promise<number> {
    return write(async (trx) => {
      const ids = await lockedWhere(trx, filterOf(which))
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
    return all(which, (trx, ids) => ChannelModel.query(trx).where(among(ids)).delete())
  }

  function readAgain(): Promise<number> {
    return write(async (trx) => {
      const rows = await ChannelModel.query(trx).select('id').orderBy('id').limit(channelsMax)
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
    return someOf(await all({ tag }, change))
  }

  return { setStatus, setTag, remove, readAgain, changeTag }
}

function filterOf(which: Which): Filter {
  if ('ids' in which) return among(which.ids)
  if ('tag' in which) return (where) => where.where('tag', which.tag)
  return (where) => where.whereNot('status', 1)
}

/** One parameter, however many they are: a statement has room for 65,535. */
function among(ids: readonly number[]): Filter {
  return (where) => where.whereRaw('id = ANY(?::int[])', [[...ids]])
}

function patchAll(trx: Knex.Transaction, ids: readonly number[], columns: Columns) {
  return ChannelModel.query(trx)
    .where(among(ids))
    .patch(columns as PartialModelObject<ChannelModel>)
}

/** A tag lives by its channels: one that no channel has is misspelt. */
function someOf(channels: number): number {
  if (channels > 0) return channels
  throw new Refusal('gone_missing', { what: 'tag', param: 'tag' })
}
