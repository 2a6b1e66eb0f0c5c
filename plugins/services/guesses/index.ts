/**
 * Limits of guesses at passwords and codes (LIMIT-5). A stranger is counted by account and network; all strangers together
 * owe a proof of work once they have tried one account often. Known browsers and open sessions are counted for themselves.
 */
import { hash } from 'node:crypto'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { devices } from './device.js'
import type { AccountNamed, GuessedAt, Guesser, Guesses } from './guesses.js'
import { bitsOwed } from './strangers.js'

export type * from './guesses.js'

/** Tries at one password by strangers in an hour, before each of them owes a proof. */
const passwords = { name: 'password', free: 20 } as const
/** Tries of a code by one session or browser. */
const codes = { name: 'codes', limit: 10, windowSeconds: 900 } as const
const hourSeconds = 3600

export default function create({
  services,
  clock,
}: Kit<'system' | 'secrets' | 'rate-limits' | 'challenge'>): Guesses {
  const { system, secrets, challenge, 'rate-limits': limits } = services
  const { rateLimits, cookieSecure = false } = system.environment
  const { login } = rateLimits
  const own = limits.window('login', login.windowSeconds)
  const hour = limits.window('strangers', hourSeconds)
  let key: Buffer | undefined
  const known = devices({
    key: () => (key ??= secrets.derive('known devices')),
    now: () => clock.now(),
  })

  async function take(guesser: string, at: GuessedAt): Promise<void> {
    if (at === 'code') await limits.take(codes, guesser)
    else if (login.enabled) await own.take(digest(guesser), login.limit)
  }

  const deviceOf = ({ headers, secure }: Guesser, userId: number) =>
    known.known(headers.cookie, userId, secure || cookieSecure)

  async function onDevice(guesser: Guesser, userId: number, at: GuessedAt): Promise<boolean> {
    const device = deviceOf(guesser, userId)
    if (device === undefined) return false
    await take(`device ${device}`, at)
    return true
  }

  /** Who owes a proof and brings none is not counted: making it dearer for others costs as much as trying. */
  async function slowly(
    guesser: Guesser,
    { name, free }: { readonly name: string; readonly free: number },
    who: string,
  ): Promise<void> {
    const subject = `${name} ${digest(who)}`
    const before = await hour.count(subject, 0)
    const owed = bitsOwed(before, free)
    if (owed !== undefined) return proven(guesser, subject, owed)
    // Of many at once, those past the limit owe a proof although there was room when they came.
    const late = bitsOwed((await hour.count(subject, 1)) - 1, free)
    if (late !== undefined) await challenge.work(guesser, subject, late)
  }

  async function proven(guesser: Guesser, subject: string, bits: number): Promise<void> {
    await challenge.work(guesser, subject, bits)
    await hour.count(subject, 1)
  }

  return {
    async password(guesser, { name, userId }: AccountNamed) {
      const isKnown = userId !== undefined && deviceOf(guesser, userId) !== undefined
      if (!login.enabled) return isKnown ? 'known' : 'stranger'
      if (isKnown && (await onDevice(guesser, userId, 'password'))) return 'known'
      const account = spelled(name)
      const stranger = digest(`network ${limits.networkOf(guesser.address)} ${account}`)
      // Whoever may not try at all is not put to work, and a proof that is owed uses up no try.
      await own.open(stranger, login.limit)
      // The widget has been solved by now where there is one.
      if (challenge.siteKey() === undefined) await slowly(guesser, passwords, account)
      await own.take(stranger, login.limit)
      return 'stranger'
    },
    inSession: ({ userId, sessionId }, at) => take(`session ${sessionId ?? `of ${userId}`}`, at),
    onDevice,
    slowly,
    deviceCookie: ({ secure }, userId) => known.cookie(userId, secure || cookieSecure),
  }
}

/** Spellings of one name or e-mail address are one account. */
function spelled(typed: string): string {
  return typed.trim().normalize('NFC').toLowerCase().normalize('NFC')
}

/** What people type is neither kept in memory nor sent to Redis, and a long name takes no more room than a short one. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
