/**
 * Passwords: argon2id with the parameters OWASP names first. One hash runs at a time, so that a flood of logins
 * leaves the thread pool to everyone else; the queue is bounded, and an unknown name costs the same time as a known one.
 */
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../../../kernel/errors.js'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const bytesMax = 128
const waitingMax = 100

export interface PasswordQueue {
  /** Makes the hash that unknown names are compared with. */
  prepare(): Promise<void>
  hash(password: string): Promise<string>
  /** An undefined hash takes its time and answers false. */
  verify(hash: string | undefined, password: string): Promise<boolean>
}

export function passwordQueue(): PasswordQueue {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  let decoy: Promise<string> | undefined

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= waitingMax) throw new Refusal('rate_limit_exceeded', { seconds: 5 })
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
  }
}

const tooLongDetails = {
  reason: `A password has at most ${bytesMax} bytes.`,
  param: 'password',
}

function tooLong(password: string): boolean {
  return Buffer.byteLength(password) > bytesMax
}
