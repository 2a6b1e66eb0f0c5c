/** What is called by a name of today of that which a scope states by its id. */
import { always, and, type Condition, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import type { ScopeName, ScopeNames, UsageScope } from './types.js'

export async function scopeNames(read: Read, scope: UsageScope): Promise<ScopeNames> {
  const { channelId, tokenId, userId } = scope
  const channel =
    channelId === undefined
      ? undefined
      : await nameOf(read, sql('SELECT name, false AS gone FROM channels WHERE id = ?', channelId))
  if (tokenId === undefined) {
    return { channel, user: userId === undefined ? undefined : await userNamed(read, userId) }
  }
  // Of one user, whose API keys alone are known.
  const own = userId === undefined ? always : sql('user_id = ?', userId)
  const { sql: where, values } = and(sql('id = ?', tokenId), own)
  const [token] = await read({
    sql: `SELECT name, deleted_at IS NOT NULL AS gone, user_id FROM tokens WHERE ${where}`,
    values,
  })
  const owner = userId ?? token?.user_id
  return {
    token: shown(token),
    user: owner === undefined ? undefined : await userNamed(read, owner),
  }
}

function userNamed(read: Read, id: number): Promise<ScopeName> {
  const user = 'SELECT username AS name, deleted_at IS NOT NULL AS gone FROM users WHERE id = ?'
  return nameOf(read, sql(user, id))
}

async function nameOf(read: Read, query: Condition): Promise<ScopeName> {
  const [row] = await read(query)
  return shown(row)
}

function shown(row: { readonly name: string; readonly gone: boolean } | undefined): ScopeName {
  return { name: row?.name ?? '', isDeleted: row?.gone ?? true }
}
