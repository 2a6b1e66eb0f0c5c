/** What an object of the log is called: its kind and number as the write stated them, and its name as it stands in the table. */
import type { Database } from '../../../kernel/contract/services/database.js'
import type { NamedObject } from '../../../kernel/contract/services/ports.js'

type Kind = 'channel' | 'user' | 'token' | 'model' | 'vendor'

/** The table of a kind, and the column of its name. */
const tables: Readonly<Record<Kind, readonly [table: string, column: string]>> = {
  channel: ['channels', 'name'],
  user: ['users', 'username'],
  token: ['tokens', 'name'],
  model: ['models', 'model_name'],
  vendor: ['vendors', 'name'],
}

/** What a bare `id 3` is in each area. */
const kinds: Readonly<Record<string, Kind>> = {
  channels: 'channel',
  'channel-keys': 'channel',
  'channel-tests': 'channel',
  breakers: 'channel',
  users: 'user',
  tokens: 'token',
  models: 'model',
  vendors: 'vendor',
}

const nameMax = 128

export async function namedObject(
  { knex }: Database,
  action: string,
  object: string,
): Promise<NamedObject> {
  const [, word = '', digits = ''] = /^([a-z]+) (\d{1,9})$/.exec(object) ?? []
  const kind = word === 'id' ? kinds[action.split('.')[0] ?? ''] : (word as Kind)
  if (kind === undefined || !Object.hasOwn(tables, kind)) return { object }
  const [table, column] = tables[kind]
  const row = await knex(table)
    .where({ id: Number(digits) })
    .first(`${column} as name`)
  const name: unknown = row?.name
  return {
    object: `${kind} ${digits}`,
    ...(typeof name === 'string' && name !== '' && { name: name.slice(0, nameMax) }),
  }
}
