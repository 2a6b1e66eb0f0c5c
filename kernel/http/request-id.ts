/**
 * Mints request ids: `req_` and 26 characters of Crockford's base32, 48 bits of Unix milliseconds and 80 random bits, so
 * ids sort by time; within one millisecond, or when the clock steps back, they count on (X16).
 */
import { randomFillSync } from 'node:crypto'
import type { RequestId } from '../contract/names.js'

export type MintRequestId = () => RequestId

const drawnAtOnce = 256

export function createRequestIds(now: () => number): MintRequestId {
  // Bytes for many ids at once: each draw enters the system.
  const random = new Uint32Array(4 * drawnAtOnce)
  let at = random.length
  let lastMs = -1
  let time = ''
  // The 80 random bits as four numbers of 20, most significant first.
  let [a, b, c, d] = [0, 0, 0, 0]

  return () => {
    const ms = now()
    if (ms > lastMs) {
      lastMs = ms
      time = `req_${timePart(ms)}`
      if (at === random.length) {
        randomFillSync(random)
        at = 0
      }
      // The topmost bit stays free, so that counting on never runs over.
      a = random[at++]! & 0x7ffff
      b = random[at++]! & 0xfffff
      c = random[at++]! & 0xfffff
      d = random[at++]! & 0xfffff
    } else if (++d > 0xfffff) {
      d = 0
      if (++c > 0xfffff) {
        c = 0
        b = (b + 1) & 0xfffff
      }
    }
    return (time + four(a) + four(b) + four(c) + four(d)) as RequestId
  }
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** All pairs of two characters, by their ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31])

function four(bits: number): string {
  return pairs[bits >> 10]! + pairs[bits & 1023]
}

/** Ten characters for 48 bits. */
function timePart(ms: number): string {
  const high = Math.floor(ms / 2 ** 20)
  return pairs[high >> 20]! + four(high & 0xfffff) + four(ms % 2 ** 20)
}
