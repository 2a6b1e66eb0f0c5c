/**
 * Which key of a channel takes a try: the only one, any of them, or each in its turn (management/README.md section 6). Whose turn it is
 * is remembered by the channel's id, so that it outlives an edit of the channel.
 */
import { LRUCache } from 'lru-cache'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Random } from './channel-pool.js'

/** States of a key whether it may be used now. */
export interface KeySieve {
  takesKey(channel: Channel, key: ChannelKey): boolean
}

export type KeyChoice = (channel: Channel, sieve: KeySieve) => ChannelKey | undefined

const turnsMax = 10_000
/** Draws that may hit a key that cannot be used, before all are looked at. */
const drawsMax = 8

export function keyChoice(random: Random): KeyChoice {
  /** Channel id → id of the key that was used last. */
  const turns = new LRUCache<number, number>({ max: turnsMax })

  /** Of hundreds the first drawn mostly does; else each is looked at, and all that do have the same share. */
  function any(channel: Channel, sieve: KeySieve): ChannelKey | undefined {
    const { keys } = channel
    for (let drawn = 0; drawn < drawsMax; drawn++) {
      const key = keys[Math.floor(random() * keys.length)]!
      if (sieve.takesKey(channel, key)) return key
    }
    let chosen: ChannelKey | undefined
    let seen = 0
    for (const key of keys) {
      if (!sieve.takesKey(channel, key)) continue
      seen += 1
      if (random() * seen < 1) chosen = key
    }
    return chosen
  }

  function next(channel: Channel, sieve: KeySieve): ChannelKey | undefined {
    const { id, keys } = channel
    const start = placeAfter(turns.get(id) ?? 0, keys)
    for (let step = 0; step < keys.length; step++) {
      const key = keys[(start + step) % keys.length]!
      if (!sieve.takesKey(channel, key)) continue
      turns.set(id, key.id)
      return key
    }
    return undefined
  }

  return (channel, sieve) => {
    const [only, second] = channel.keys
    if (only === undefined) return undefined
    if (second === undefined) return sieve.takesKey(channel, only) ? only : undefined
    return channel.keyMode === 'polling' ? next(channel, sieve) : any(channel, sieve)
  }
}

/** The first place whose id is greater; keys stand in order of id. */
function placeAfter(id: number, keys: readonly ChannelKey[]): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]!.id > id) high = middle
    else low = middle + 1
  }
  return low
}
