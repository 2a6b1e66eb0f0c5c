/**
 * What became of each key of each channel: the exchange under way, its result, and the key that took its place. Bounded;
 * what was not used for long is exchanged anew.
 */
import { LRUCache } from 'lru-cache'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Credentials } from '../../../kernel/contract/provider.js'
import type { Authorized } from './credentials.js'

export interface Trail {
  readonly channelId: number
  /** The address takes part: another one may be another service. */
  readonly baseUrl: string
  /** Row of the key, which stays while its text is renewed. Absent: the channel has no such key. */
  readonly keyId?: number
  /** The newest key. */
  key: string
  /** The key its row is known to hold. */
  stored: string
  /** Awaited by everyone who comes meanwhile. */
  exchange?: Promise<Authorized>
  credentials?: Credentials
  /** The token the upstream refused since. */
  refused?: string
  /** Unix milliseconds at which a refused token was last given up. */
  forcedAt: number
}

export interface Trails {
  of(channel: Channel, key: string): Trail
  /** The trail goes on under this key; under the earlier ones it is found as well. */
  renew(trail: Trail, key: string): void
}

const keysMax = 10_000

export function createTrails(): Trails {
  /** By key, since its hash is computed once; the same key in several channels is rare. */
  const byKey = new LRUCache<string, readonly Trail[]>({ max: keysMax })

  function of({ id, baseUrl, keys }: Channel, key: string): Trail {
    const known = byKey.get(key)?.find(({ channelId }) => channelId === id)
    if (known?.baseUrl === baseUrl) return known
    const keyId = keys.find(({ text }) => text === key)?.id
    const trail: Trail = { channelId: id, baseUrl, keyId, key, stored: key, forcedAt: -Infinity }
    put(key, trail)
    return trail
  }

  function put(key: string, trail: Trail): void {
    const others = (byKey.get(key) ?? []).filter(({ channelId }) => channelId !== trail.channelId)
    byKey.set(key, [...others, trail])
  }

  return {
    of,
    renew(trail, key) {
      trail.key = key
      put(key, trail)
    },
  }
}
