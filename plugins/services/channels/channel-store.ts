/** The tables `channels` and `channel_keys` as this service reads them: whole channels with their keys, by the page. */
import type { Knex } from 'knex'
import type { ChannelColumns, KeyColumns } from './channel-row.js'
import type { SharedLists } from './shared-lists.js'

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
  'cost_terms',
]
/** As text, since rows with the same one share what is made of it. */
const lists = 'array_to_json(models)::text AS models, array_to_json(groups)::text AS groups'
const keyColumns = ['id', 'channel_id', 'sealed', 'status']

/** Channels read at once: what a page takes of memory, and of the time of everybody else, is bounded. */
export const pageSize = 500

/** How a channel stands in its row: `models` and `groups` are JSON. */
type Row = Omit<ChannelColumns, 'models' | 'groups'> & {
  readonly models: string
  readonly groups: string
}

/** Every channel, in order of id. */
export async function* everyChannel(
  knex: Knex,
  shared: SharedLists,
): AsyncIterable<readonly StoredChannel[]> {
  let last = 0
  for (;;) {
    const rows: Row[] = await knex('channels')
      .select(columns)
      .select(knex.raw(lists))
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
    yield withKeys(knex, rows, shared)
    if (rows.length < pageSize) return
    last = rows.at(-1)!.id
  }
}

/** In order of id. Those that are gone are left out. */
export async function channelsById(
  knex: Knex,
  ids: readonly number[],
  shared: SharedLists,
): Promise<readonly StoredChannel[]> {
  const rows: Row[] = await knex('channels')
    .select(columns)
    .select(knex.raw(lists))
    .whereRaw('id = ANY(?::int[])', [[...ids]])
    .orderBy('id')
  return withKeys(knex, rows, shared)
}

async function withKeys(
  knex: Knex,
  rows: readonly Row[],
  shared: SharedLists,
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
  return rows.map((row) => ({
    row: { ...row, models: shared.setOf(row.models), groups: [...shared.setOf(row.groups)] },
    keys: byChannel.get(row.id) ?? [],
  }))
}
