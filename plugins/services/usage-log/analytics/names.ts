/** What is shown of those that are counted by an id: their names of today. */
import { sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import type { StatKey } from './stat-key.js'
import type { Dimension, RankedUsage } from './types.js'

type Named = Pick<RankedUsage, 'id' | 'name' | 'userId' | 'username'>

const tables: Readonly<Partial<Record<Dimension, string>>> = {
  channel: 'SELECT id, name FROM channels WHERE id = ANY (?::integer[])',
  token: 'SELECT id, name FROM tokens WHERE id = ANY (?::integer[])',
}

/** In the order of the keys; empty: deleted, or none. */
export async function namesOf(
  read: Read,
  dimension: Dimension,
  keys: readonly StatKey[],
): Promise<readonly Named[]> {
  const lookUp = tables[dimension]
  const ids = keys.map(({ id }) => id)
  const found = lookUp === undefined ? [] : await read(sql(lookUp, ids))
  const names = new Map<number, string>(found.map(({ id, name }) => [id, name]))
  const owners = keys.map(({ userId }) => userId)
  const users = await read(
    sql('SELECT id, username FROM users WHERE id = ANY (?::integer[])', owners),
  )
  const usernames = new Map<number, string>(users.map(({ id, username }) => [id, username]))
  return keys.map(({ userId, id, name }) => {
    const username = usernames.get(userId) ?? ''
    if (dimension === 'user') return { id: userId, name: username, userId, username }
    return { id, name: lookUp === undefined ? name : (names.get(id) ?? ''), userId, username }
  })
}
