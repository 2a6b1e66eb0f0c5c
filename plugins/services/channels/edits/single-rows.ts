/** What others find out about one channel: its balance, and which models its upstream has. */
import type { PartialModelObject } from 'objection'
import { raw } from 'objection'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { ChannelModel, type ChannelRow } from './channel-model.js'
import type { ChannelEdits, RowChange } from './edits.js'
import { locked, writing } from './writing.js'

export function singleRows(services: {
  readonly database: Database
  readonly changes: Changes
}): Pick<ChannelEdits, 'saveBalance' | 'change'> {
  const write = writing(services)

  function changed<T>(
    id: number,
    work: (row: ChannelRow) => {
      readonly columns?: PartialModelObject<ChannelModel>
      readonly result: T
    },
  ): Promise<T> {
    return write(async (trx) => {
      const { columns, result } = work(await locked(trx, id))
      if (columns === undefined) return result
      await ChannelModel.query(trx).findById(id).patch(columns)
      await services.changes.note(trx, 'channels', id)
      return result
    })
  }

  return {
    saveBalance: (id, balance) =>
      changed(id, () => ({
        columns: { balance, balance_updated_at: raw('now()') },
        result: undefined,
      })),
    change: (id, work) =>
      changed(id, (row) => {
        const { changes, result } = work(row)
        return { columns: changes && columnsOf(changes), result }
      }),
  }
}

function columnsOf({
  models,
  settings,
}: NonNullable<RowChange<unknown>['changes']>): PartialModelObject<ChannelModel> {
  return {
    ...(models !== undefined && { models: [...models] }),
    ...(settings !== undefined && {
      settings: raw('settings || ?::jsonb', JSON.stringify(settings)),
    }),
  }
}
