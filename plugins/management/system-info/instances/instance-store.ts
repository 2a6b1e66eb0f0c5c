/** The table of the processes: a row each, under the name of its node. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import type { Instance } from './instances.js'

type InstanceRow = Omit<Instance, 'online'>

export interface InstanceStore {
  seen(row: InstanceRow): Promise<void>
  list(limit: number): Promise<readonly InstanceRow[]>
  has(nodeName: string): Promise<boolean>
  /** Of all, or of one. Answers how many. */
  removeSeenBefore(moment: Date, nodeName?: string): Promise<number>
  /** Another process may go by the name by now: its row stays. */
  leave(row: Pick<InstanceRow, 'nodeName' | 'startedAt'>): Promise<void>
}

interface StoredRow {
  readonly node_name: string
  readonly started_at: Date
  readonly last_seen_at: Date
  readonly info: JsonObject
}

export function instanceStore({ knex }: Database): InstanceStore {
  const table = () => knex<StoredRow>('system_instances')

  return {
    async seen({ nodeName, startedAt, lastSeenAt, info }) {
      await knex('system_instances')
        .insert({
          node_name: nodeName,
          started_at: startedAt,
          last_seen_at: lastSeenAt,
          info: JSON.stringify(info),
        })
        .onConflict('node_name')
        .merge()
    },
    async list(limit) {
      const rows = await table().orderBy('node_name').limit(limit)
      return rows.map((row) => ({
        nodeName: row.node_name,
        startedAt: row.started_at,
        lastSeenAt: row.last_seen_at,
        info: row.info,
      }))
    },
    async has(nodeName) {
      return (await table().select('node_name').where('node_name', nodeName).first()) !== undefined
    },
    removeSeenBefore(moment, nodeName) {
      const stale = table().where('last_seen_at', '<', moment)
      return nodeName === undefined ? stale.delete() : stale.where('node_name', nodeName).delete()
    },
    async leave({ nodeName, startedAt }) {
      await table().where('node_name', nodeName).where('started_at', startedAt).delete()
    },
  }
}
