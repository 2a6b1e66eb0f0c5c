/** The few columns of a channel's row this area reads. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { ChannelRow } from '../../services/channels/index.js'

export type Row = Pick<
  ChannelRow,
  'id' | 'name' | 'models' | 'model_mapping' | 'settings' | 'test_model' | 'multi_key_mode'
>

export interface Rows {
  /** Throws `gone_missing`. */
  get(id: number): Promise<Row>
  all(): Promise<readonly Row[]>
}

const columns = [
  'id',
  'name',
  'models',
  'model_mapping',
  'settings',
  'test_model',
  'multi_key_mode',
]

/** More than anyone has. */
const rowsMax = 100_000

export function channelRows(knex: Knex): Rows {
  return {
    async get(id) {
      const row = await knex('channels').where({ id }).first<Row | undefined>(columns)
      if (row === undefined) throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
      return row
    },
    all: () => knex('channels').select<Row[]>(columns).orderBy('id').limit(rowsMax),
  }
}
