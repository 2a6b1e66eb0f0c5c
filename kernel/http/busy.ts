/** What callers are sent when the process holds as much as it may, and when they themselves ask for too much at once. */
import { Refusal } from '../toolkit/errors/refusal.js'

const seconds = 1
const headers = { 'retry-after': String(seconds) }

/** 503: nobody did anything wrong. */
export function busy(): Refusal {
  return new Refusal('out_of_room', { seconds }, { headers })
}

/** 429: so many requests of one address, user or key are under way. `whose` completes "requests of this …". */
export function tooManyAtOnce(whose: string, limit: number): Refusal {
  return new Refusal('too_many_at_once', { whose, limit, seconds }, { headers })
}
