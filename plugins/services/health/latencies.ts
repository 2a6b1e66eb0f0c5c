/** How long the last answers of each channel took to begin. */

/** How long ago it was, and how long it took, milliseconds. */
export type Dated = readonly [age: number, ms: number]

export interface Latencies {
  /** @param at of a clock that only grows */
  add(channelId: number, ms: number, at: number): void
  /** Oldest first. */
  of(channelId: number): readonly number[]
  dated(channelId: number, now: number): readonly Dated[]
  forget(channelId: number): void
  /** The last of each channel that came after that moment. */
  since(
    at: number,
  ): Iterable<{ readonly channelId: number; readonly at: number; readonly ms: number }>
}

/** Of one channel. */
export const latenciesMax = 20

interface Ring {
  readonly values: number[]
  readonly times: number[]
  /** Where the next one goes, once all places are taken. */
  next: number
}

export function createLatencies(): Latencies {
  const rings = new Map<number, Ring>()

  function dated(channelId: number, now: number): readonly Dated[] {
    const ring = rings.get(channelId)
    if (ring === undefined) return []
    const all = ring.values.map((ms, at): Dated => [now - ring.times[at]!, ms])
    return [...all.slice(ring.next), ...all.slice(0, ring.next)]
  }

  return {
    add(channelId, ms, at) {
      const ring = rings.get(channelId)
      if (ring === undefined) rings.set(channelId, { values: [ms], times: [at], next: 0 })
      else if (ring.values.length < latenciesMax) {
        ring.values.push(ms)
        ring.times.push(at)
      } else {
        ring.values[ring.next] = ms
        ring.times[ring.next] = at
        ring.next = (ring.next + 1) % latenciesMax
      }
    },
    of: (channelId) => dated(channelId, 0).map(([, ms]) => ms),
    dated,
    forget(channelId) {
      rings.delete(channelId)
    },
    *since(moment) {
      for (const [channelId, { values, times, next }] of rings) {
        const last = (next + values.length - 1) % values.length
        if (times[last]! > moment) yield { channelId, at: times[last]!, ms: values[last]! }
      }
    },
  }
}
