/** How channels are written: one transaction, rows locked in order of id, received by every process before the answer. */
import type { Knex } from 'knex'
import type { QueryBuilder } from 'objection'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { ChannelModel, type ChannelRow } from './channel-model.js'

export type Writing = <T>(work: (trx: Knex.Transaction) => Promise<T>) => Promise<T>

export function writing(services: {
  readonly database: Database
  readonly changes: Changes
}): Writing {
  return async (work) => {
    const done = await services.database.knex.transaction(work)
    await services.changes.settled()
    return done
  }
}

/** The row, nobody else's until the transaction ends: two admins who edit one channel lose nothing. */
export async function locked(trx: Knex.Transaction, id: number): Promise<ChannelRow> {
  return (await ChannelModel.query(trx).findById(id).forUpdate()) ?? missing()
}

/** The ids of many, locked too, always in their order, so that two who overlap wait for each other and do not block. */
export async function lockedWhere(
  trx: Knex.Transaction,
  filter: (where: QueryBuilder<ChannelModel>) => void,
): Promise<readonly number[]> {
  const rows = await ChannelModel.query(trx)
    .where(filter)
    .select('id')
    .orderBy('id')
    .limit(channelsMax)
    .forUpdate()
  return rows.map((row) => row.id)
}

/** More channels than a gateway has. */
export const channelsMax = 100_000

export function missing(): never {
  throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
}
