/**
 * Passwords: argon2id with the parameters OWASP names first. One hash runs at a time, so that a flood of logins
 * leaves the thread pool to everyone else; the queue is bounded, and an unknown name costs the same time as a known one.
 */
import { randomBytes } from 'node:crypto'
import * as argon2 from '@node-rs/argon2'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { passwordCharactersMax } from '../../../kernel/toolkit/management/index.js'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** How a hash of this cost begins. */
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
/** A character takes four bytes at most. */
const bytesMax = 4 * passwordCharactersMax
const waitingMax = 100

/** What does the work; tests watch it. */
export interface Hasher {
  hash(password: string | Uint8Array, options: typeof cost): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

export interface PasswordQueue {
  /** Makes the hash that unknown names are compared with. */
  prepare(): Promise<void>
  hash(password: string): Promise<string>
  /** An undefined hash takes its time and answers false. */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** Whether a hash was made at another cost than hashes are now. */
  isStale(hash: string): boolean
}

export function passwordQueue({ hash, verify }: Hasher = argon2): PasswordQueue {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  let decoy: Promise<string> | undefined

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= waitingMax) {
      const headers = { 'retry-after': '5' }
      throw new Refusal('rate_limit_exceeded', { seconds: 5 }, { headers })
    }
    waiting++
    const done = last.then(work).finally(() => waiting--)
    last = done.catch(() => undefined)
    return done
  }

  function decoyHash(): Promise<string> {
    decoy ??= inTurn(() => hash(randomBytes(16), cost))
    return decoy
  }

  return {
    async prepare() {
      await decoyHash()
    },
    async hash(password) {
      if (tooLong(password)) throw new Refusal('invalid_field', tooLongDetails)
      return inTurn(() => hash(password, cost))
    },
    async verify(stored, password) {
      if (tooLong(password)) return false
      const compared = stored ?? (await decoyHash())
      const same = await inTurn(() => verify(compared, password))
      return same && stored !== undefined
    },
    isStale: (hash) => !hash.startsWith(prefix),
  }
}

const tooLongDetails = {
  reason: `A password has at most ${passwordCharactersMax} characters.`,
  param: 'password',
}

function tooLong(password: string): boolean {
  return Buffer.byteLength(password) > bytesMax
}
