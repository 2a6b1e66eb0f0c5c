/** How long the last answers of each channel took to begin. */

export interface Latencies {
  add(channelId: number, ms: number): void
  /** Oldest first. */
  of(channelId: number): readonly number[]
  forget(channelId: number): void
}

const size = 20

interface Ring {
  readonly values: number[]
  /** Where the next one goes, once all places are taken. */
  next: number
}

export function createLatencies(): Latencies {
  const rings = new Map<number, Ring>()
  return {
    add(channelId, ms) {
      const ring = rings.get(channelId)
      if (ring === undefined) rings.set(channelId, { values: [ms], next: 0 })
      else if (ring.values.length < size) ring.values.push(ms)
      else {
        ring.values[ring.next] = ms
        ring.next = (ring.next + 1) % size
      }
    },
    of(channelId) {
      const ring = rings.get(channelId)
      if (ring === undefined) return []
      return [...ring.values.slice(ring.next), ...ring.values.slice(0, ring.next)]
    },
    forget(channelId) {
      rings.delete(channelId)
    },
  }
}
