/** The tables `channels` and `channel_keys` as this service reads them: whole channels with their keys, by the page. */
import type { Knex } from 'knex'
import type { ChannelColumns, KeyColumns } from './channel-row.js'

export interface StoredChannel {
  readonly row: ChannelColumns
  /** In order of id. */
  readonly keys: readonly KeyColumns[]
}

const columns = [
  'id',
  'type',
  'name',
  'status',
  'base_url',
  'models',
  'groups',
  'priority',
  'weight',
  'model_mapping',
  'param_override',
  'header_override',
  'status_code_mapping',
  'multi_key_mode',
  'auto_ban',
  'setting',
  'settings',
]
const keyColumns = ['id', 'channel_id', 'sealed', 'status']

/** Channels read at once: what a page takes of memory, and of the time of everybody else, is bounded. */
export const pageSize = 500

/** Every channel, in order of id. */
export async function* everyChannel(knex: Knex): AsyncIterable<readonly StoredChannel[]> {
  let last = 0
  for (;;) {
    const rows = await knex('channels')
      .select<ChannelColumns[]>(columns)
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
    yield withKeys(knex, rows)
    if (rows.length < pageSize) return
    last = rows.at(-1)!.id
  }
}

/** In order of id. Those that are gone are left out. */
export async function channelsById(
  knex: Knex,
  ids: readonly number[],
): Promise<readonly StoredChannel[]> {
  const rows = await knex('channels')
    .select<ChannelColumns[]>(columns)
    .whereRaw('id = ANY(?::int[])', [[...ids]])
    .orderBy('id')
  return withKeys(knex, rows)
}

async function withKeys(
  knex: Knex,
  rows: readonly ChannelColumns[],
): Promise<readonly StoredChannel[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const keys = await knex('channel_keys')
    .select<KeyColumns[]>(keyColumns)
    .whereRaw('channel_id = ANY(?::int[])', [ids])
    .orderBy('id')
  const byChannel = new Map<number, KeyColumns[]>()
  for (const key of keys) {
    const of = byChannel.get(key.channel_id)
    if (of === undefined) byChannel.set(key.channel_id, [key])
    else of.push(key)
  }
  return rows.map((row) => ({ row, keys: byChannel.get(row.id) ?? [] }))
}
