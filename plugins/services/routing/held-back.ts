/** Why nobody takes a request that somebody serves: every channel of its route waits. */

import type { Channels } from '../channels/index.js'
import type { Health, Wait } from '../health/index.js'
import { Candidates, type CandidateTerms } from './candidates.js'
import type { HeldBack, PickAsk } from './routing.js'

export interface HeldBackTerms extends CandidateTerms {
  readonly channels: Pick<Channels, 'tiers'>
  readonly health: Pick<Health, 'admits' | 'spares' | 'wait'>
}

/** Of a route of thousands these are enough to say when to come again: keys asked about, in all and of one tier. */
const looksMax = 100
const tierLooksMax = 50

/** The shortest wait. Undefined: nobody who serves this waits. */
export function heldBack(terms: HeldBackTerms): (ask: PickAsk) => HeldBack | undefined {
  return (ask) => {
    const candidates = new Candidates(ask, terms)
    let shortest: Wait | undefined
    let looks = 0
    for (const wait of waits(ask, candidates, terms)) {
      if (wait !== undefined && (shortest === undefined || wait.ms < shortest.ms)) shortest = wait
      if (++looks >= looksMax) break
    }
    return shortest
  }
}

/** One for each key looked at. */
function* waits(
  { route, model }: PickAsk,
  candidates: Candidates,
  { channels, health }: HeldBackTerms,
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
