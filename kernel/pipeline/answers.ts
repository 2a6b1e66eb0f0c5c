/**
 * Answers a later request may refer to instead of repeating them. An upstream of another format knows nothing of the
 * item ids its converted answer was given, so the gateway itself remembers them for a while: per user, in the memory of
 * this process, within a bound.
 */
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../contract/json.js'
import type { Clock } from '../contract/kit.js'
import type { Opened } from '../contract/line/record.js'
import type { Answers } from '../contract/services/answers.js'
import { pipelineLimits } from './limits.js'

export interface KeptAnswers extends Answers {
  /** Remembers what can be named of an answer, where the client lets it be kept. */
  keep(state: Opened, answer: JsonObject | undefined): void
}

export function createAnswers(clock: Clock): KeptAnswers {
  const parts = new LRUCache<string, JsonObject>({
    maxSize: pipelineLimits.keptBytesMax,
    maxEntrySize: pipelineLimits.keptPartBytesMax,
    sizeCalculation: (part, place) => JSON.stringify(part).length + place.length,
    ttl: pipelineLimits.keptMs,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  })

  return {
    recall: (userId, id) => parts.get(placeOf(userId, id)),
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
