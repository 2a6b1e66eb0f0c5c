/**
 * Passwords: argon2id with the parameters OWASP names first. One hash runs at a time, so that a flood of logins
 * leaves the thread pool to everyone else; the queue is bounded, and an unknown name costs the same time as a known one.
 * Browsers that are known to an account, and whoever is signed in, wait in a lane of their own, which goes first: strangers
 * delay one another alone (decision 51).
 */
import { randomBytes } from 'node:crypto'
import * as argon2 from '@node-rs/argon2'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { passwordCharactersMax } from '../../../kernel/toolkit/management/index.js'
import type { PasswordPriority } from './identity.js'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** How a hash of this cost begins. */
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
/** A character takes four bytes at most. */
const bytesMax = 4 * passwordCharactersMax
/** Those who wait, by lane. */
const waitingMax = { known: 50, stranger: 100 } as const

/** What does the work; tests watch it. */
export interface Hasher {
  hash(password: string | Uint8Array, options: typeof cost): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

export interface PasswordQueue {
  /** Makes the hash that unknown names are compared with. */
  prepare(): Promise<void>
  hash(password: string): Promise<string>
  /** An undefined hash takes its time and is not the password's. Absent: the caller is unknown. */
  verify(hash: string | undefined, password: string, priority?: PasswordPriority): Promise<boolean>
  /** Whether a hash was made at another cost than hashes are now. */
  isStale(hash: string): boolean
}

export function passwordQueue({ hash, verify }: Hasher = argon2): PasswordQueue {
  const queues: Readonly<Record<PasswordPriority, (() => Promise<void>)[]>> = {
    known: [],
    stranger: [],
  }
  let working = false
  let decoy: Promise<string> | undefined

  function inTurn<T>(priority: PasswordPriority, work: () => Promise<T>): Promise<T> {
    if (queues[priority].length >= waitingMax[priority]) {
      const headers = { 'retry-after': '5' }
      throw new Refusal('rate_limit_exceeded', { seconds: 5 }, { headers })
    }
    return new Promise((resolve, reject) => {
      queues[priority].push(() => work().then(resolve, reject))
      if (!working) void workOff()
    })
  }

  async function workOff(): Promise<void> {
    working = true
    for (;;) {
      const next = queues.known.shift() ?? queues.stranger.shift()
      if (next === undefined) break
      await next()
    }
    working = false
  }

  function decoyHash(): Promise<string> {
    decoy ??= inTurn('known', () => hash(randomBytes(16), cost))
    return decoy
  }

  return {
    async prepare() {
      await decoyHash()
    },
    async hash(password) {
      if (tooLong(password)) throw new Refusal('invalid_field', tooLongDetails)
      return inTurn('stranger', () => hash(password, cost))
    },
    async verify(stored, password, priority = 'stranger') {
      if (tooLong(password)) return false
      const compared = stored ?? (await decoyHash())
      const same = await inTurn(priority, () => verify(compared, password))
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
