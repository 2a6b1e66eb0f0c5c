/**
 * A challenge that a program solves by itself: a text, and a suffix to be found whose SHA-256 together begins with so many
 * zero bits. Nothing is kept of the request; an HMAC ties the text to its subject and to its time.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Puzzles {
  /** `<bits>.<last second, base 36>.<salt>.<MAC>`: with a suffix of 8 characters it fits one block of SHA-256. */
  make(subject: string, bits: number): string
  /** The text that was solved; undefined: not made here for this subject, easier than required, too old, or not solved. */
  solved(subject: string, bitsMin: number, solution: unknown): string | undefined
}

export interface PuzzleDependencies {
  readonly key: () => Buffer
  /** Unix milliseconds. */
  readonly now: () => number
}

/** How long a solution may take. */
export const puzzleSeconds = 300

const shape = /^((\d{1,2})\.([0-9a-z]{1,8})\.[\w-]{11})\.([\w-]{16})\.([\w-]{1,16})$/

export function puzzles({ key, now }: PuzzleDependencies): Puzzles {
  const seconds = () => Math.floor(now() / 1000)

  function macOf(subject: string, terms: string): Buffer {
    return createHmac('sha256', key())
      .update(JSON.stringify([subject, terms]))
      .digest()
      .subarray(0, 12)
  }

  return {
    make(subject, bits) {
      const last = (seconds() + puzzleSeconds).toString(36)
      const terms = `${bits}.${last}.${randomBytes(8).toString('base64url')}`
      return `${terms}.${macOf(subject, terms).toString('base64url')}`
    },
    solved(subject, bitsMin, solution) {
      const [text, terms = '', bits = '', last = '', mac = ''] = shape.exec(String(solution)) ?? []
      if (text === undefined || Number(bits) < bitsMin) return undefined
      if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(subject, terms))) return undefined
      if (Number.parseInt(last, 36) < seconds()) return undefined
      return zeroBits(hash('sha256', text, 'buffer')) >= Number(bits)
        ? `${terms}.${mac}`
        : undefined
    },
  }
}

function zeroBits(digest: Buffer): number {
  return Math.clz32(digest.readUInt32BE(0))
}
