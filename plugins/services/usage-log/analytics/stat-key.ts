/** Under what key the sums of a scope are kept. */
import { type Condition, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import type { UsageScope } from './types.js'

export type StatKind =
  | 'all'
  | 'model'
  | 'channel'
  | 'group'
  | 'user'
  | 'token'
  | 'user_model'
  | 'user_group'

export interface StatKey {
  readonly kind: StatKind
  readonly userId: number
  readonly id: number
  readonly name: string
}

export async function statKey(read: Read, scope: UsageScope): Promise<StatKey> {
  const { model, group, channelId, tokenId, userId } = scope
  const none = { userId: userId ?? 0, id: 0, name: '' }
  const isOwn = userId !== undefined
  if (tokenId !== undefined) {
    return { ...none, kind: 'token', id: tokenId, userId: userId ?? (await ownerOf(read, tokenId)) }
  }
  if (model !== undefined) return { ...none, kind: isOwn ? 'user_model' : 'model', name: model }
  if (group !== undefined) return { ...none, kind: isOwn ? 'user_group' : 'group', name: group }
  if (channelId !== undefined) return { ...none, kind: 'channel', id: channelId }
  return { ...none, kind: isOwn ? 'user' : 'all' }
}

/** 0: there is none, and no user has this id. */
async function ownerOf(read: Read, tokenId: number): Promise<number> {
  const [token] = await read(sql('SELECT user_id FROM tokens WHERE id = ?', tokenId))
  return token?.user_id ?? 0
}

/** Hours are not kept of what is many. */
export function hasHours({ kind }: StatKey): boolean {
  return kind !== 'token' && kind !== 'user_model' && kind !== 'user_group'
}

export function ofKey({ kind, userId, id, name }: StatKey): Condition {
  return sql('kind = ? AND user_id = ? AND id = ? AND name = ?', kind, userId, id, name)
}
