/**
 * Answers a later request may refer to instead of repeating them. An upstream of another format knows nothing of the
 * item ids its converted answer was given, so the gateway itself remembers them for a while: per user, in the memory of
 * the process that answered, within a bound. Another process of its address asks it.
 */
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../contract/json.js'
import type { Clock } from '../contract/kit.js'
import type { Opened } from '../contract/line/record.js'
import type { Answers } from '../contract/services/answers.js'
import type { Peers } from '../contract/services/peers.js'
import { noPeers } from '../peers.js'
import { pipelineLimits } from './limits.js'

export interface KeptAnswers extends Answers {
  /** Remembers what can be named of an answer, where the client lets it be kept. */
  keep(state: Opened, answer: JsonObject | undefined): void
}

const topic = 'answers'

export function createAnswers(clock: Clock, peers: Peers = noPeers): KeptAnswers {
  const parts = new LRUCache<string, JsonObject>({
    maxSize: pipelineLimits.keptBytesMax,
    maxEntrySize: pipelineLimits.keptPartBytesMax,
    sizeCalculation: (part, place) => JSON.stringify(part).length + place.length,
    ttl: pipelineLimits.keptMs,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  })

  peers.respond(topic, (places) => {
    const found = (places as readonly string[]).map((place) => parts.get(place) ?? null)
    return found.some((part) => part !== null) ? found : null
  })

  async function fetch(places: readonly string[]): Promise<void> {
    for (const { reply } of await peers.ask(topic, places)) {
      for (const [at, part] of (reply as readonly (JsonObject | null)[]).entries()) {
        if (part !== null) parts.set(places[at]!, part)
      }
    }
  }

  return {
    recall: (userId, id) => parts.get(placeOf(userId, id)),
    gather({ references }, body, userId) {
      if (peers.count === 1 || references?.named === undefined) return undefined
      const places = references.named(body).map((id) => placeOf(userId, id))
      const unknown = places.filter((place) => !parts.has(place))
      return unknown.length > 0 ? fetch(unknown) : undefined
    },
    keep({ format, body, user }, answer) {
      const { references } = format
      if (answer === undefined || references === undefined || body.kind !== 'json') return
      if (!references.wanted(body.value)) return
      for (const [id, part] of references.parts(answer)) parts.set(placeOf(user.id, id), part)
    },
  }
}

function placeOf(userId: number, id: string): string {
  return `${userId} ${id}`
}
