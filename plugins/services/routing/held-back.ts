/** Why nobody takes a request that somebody serves: every channel of its route waits. */

import type { Channels } from '../channels/index.js'
import type { Health, Wait } from '../health/index.js'
import { type CandidateOptions, Candidates } from './candidates.js'
import type { HeldBack, PickQuery } from './routing.js'

export interface HeldBackOptions extends CandidateOptions {
  readonly channels: Pick<Channels, 'tiers'>
  readonly health: Pick<Health, 'admits' | 'spares' | 'wait'>
}

/** Of a route of thousands these are enough to compute when to come again: keys looked at, in all and of one tier. */
const looksMax = 100
const tierLooksMax = 50

/** The shortest wait. Undefined: nobody who serves this waits. */
export function heldBack(options: HeldBackOptions): (query: PickQuery) => HeldBack | undefined {
  return (query) => {
    const candidates = new Candidates(query, options)
    let shortest: Wait | undefined
    let looks = 0
    for (const wait of waits(query, candidates, options)) {
      if (wait !== undefined && (shortest === undefined || wait.ms < shortest.ms)) shortest = wait
      if (++looks >= looksMax) break
    }
    return shortest
  }
}

/** One for each key looked at. */
function* waits(
  { route, model }: PickQuery,
  candidates: Candidates,
  { channels, health }: HeldBackOptions,
): Iterable<Wait | undefined> {
  for (const group of route.groups) {
    for (const tier of channels.tiers(group, model)) {
      for (const channel of spread(tier.channels)) {
        if (candidates.adapterOf(channel) === undefined) continue
        for (const key of spread(channel.keys)) {
          yield key.enabled ? health.wait(channel.id, key.id, model) : undefined
        }
      }
    }
  }
}

/** All where they are few, else some from everywhere. */
function* spread<T>(all: readonly T[]): Iterable<T> {
  const step = Math.ceil(all.length / tierLooksMax)
  for (let at = 0; at < all.length; at += step) yield all[at]!
}
