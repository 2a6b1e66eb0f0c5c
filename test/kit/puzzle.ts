/** Solves the puzzle of `X-Challenge` as a script does. */
import { hash } from 'node:crypto'

/** Value of `X-Challenge-Solution`. */
export function solved(challenge: string): string {
  const bits = Number(challenge.split('.', 1)[0])
  for (let tried = 0; ; tried += 1) {
    const text = `${challenge}.${tried.toString(36)}`
    if (Math.clz32(hash('sha256', text, 'buffer').readUInt32BE(0)) >= bits) return text
  }
}
