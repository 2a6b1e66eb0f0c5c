/**
 * One function of a plugin as the gateway calls it: what it throws, or returns against its contract, becomes a `PluginFault`
 * that states whose it is, and counts in the plugin's health. What is meant, such as a refusal, passes as it is.
 */
import type { Clock } from '../contract/kit.js'
import { faultIn, PluginFault } from '../toolkit/errors/plugin-fault.js'
import type { Tally } from './health.js'

/** Milliseconds a function that returns a promise may take. */
export const timeLimits = {
  /** Import of the module and `create`. */
  create: 30_000,
  start: 30_000,
  stop: 30_000,
  /** A request, and a hold, wait behind it. */
  check: 30_000,
  /** What calls another service: an exchange of keys, a sign-in, a delivery, a payment. */
  outgoing: 60_000,
  /** A route of a plugin from outside. */
  route: 120_000,
} as const

export type IsSound = (result: unknown) => boolean

/** A function that returns at once. */
export function contained<Arguments extends unknown[], Result>(
  tally: Tally,
  call: (...requested: Arguments) => Result,
  isSound: IsSound,
): (...requested: Arguments) => Result {
  return (...requested) => {
    const began = tally.began()
    try {
      return sound(call(...requested), isSound)
    } catch (error) {
      throw faultOf(tally, error)
    } finally {
      tally.ended(began)
    }
  }
}

export function sound<Result>(result: Result, isSound: IsSound): Result {
  if (isSound(result)) return result
  throw misfit(result)
}

/** What it threw as it goes on; counted where it is a fault. `part` of the verb: of a reader it returned. */
export function faultOf(tally: Tally, error: unknown, part?: string): unknown {
  const verb = part === undefined ? tally.verb : `${tally.verb}.${part}`
  const fault = faultIn(tally.health.id, verb, error)
  if (fault instanceof PluginFault) tally.failed(fault)
  return fault
}

interface LaterOptions {
  readonly tally: Tally
  readonly limitMs: number
  readonly isSound: IsSound
  /** Whether it waits for a call of the gateway, which has limits of its own. */
  readonly isWaiting?: () => boolean
  /**
   * Its contract lets it reject with an error; then only a mistake in the code counts as a fault. `named`: the error goes on
   * with the plugin's name, else as it is.
   */
  readonly mayReject?: 'named' | 'asItIs'
}

/** A function that returns a promise, or may: it is given a limit, and what comes later than that is dropped. */
export async function containedLater<Result>(
  { tally, limitMs, isSound, isWaiting, mayReject }: LaterOptions,
  call: () => Result | Promise<Result>,
): Promise<Result> {
  const { health } = tally
  const began = tally.began()
  let result: Result
  try {
    let running: Result | Promise<Result>
    try {
      running = call()
    } finally {
      tally.ended(began)
    }
    const limit = { verb: tally.verb, limitMs, isWaiting }
    result = await within(health.clock, limit, async () => running)
  } catch (error) {
    if (mayReject === undefined || isMistake(error)) throw faultOf(tally, error)
    throw mayReject === 'named' ? faultIn(health.id, tally.verb, error) : error
  }
  if (await isFit(result, isSound)) return result
  throw faultOf(tally, misfit(result))
}

/** Looking at a value may throw as well. */
async function isFit(result: unknown, isSound: IsSound): Promise<boolean> {
  try {
    return isSound(result)
  } catch {
    return false
  }
}

interface TimeLimit {
  readonly verb: string
  readonly limitMs: number
  /** While it is true, the time does not run out. */
  readonly isWaiting?: () => boolean
}

/** Rejects when `run` takes longer than the limit; what it comes to afterwards is dropped. */
export function within<Result>(
  clock: Clock,
  { verb, limitMs, isWaiting }: TimeLimit,
  run: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let cancel = () => {}
    const begin = () => {
      cancel = clock.after(limitMs, () => {
        if (isWaiting?.() === true) begin()
        else reject(new TookTooLong(`${verb} took longer than ${limitMs / 1000} s`))
      })
    }
    begin()
    run()
      .then(resolve, reject)
      .finally(() => cancel())
  })
}

function misfit(result: unknown): TypeError {
  if (!(result instanceof Promise))
    return new TypeError('it does not return what its contract says')
  // Nobody awaits it.
  result.catch(() => {})
  return new TypeError('it returns a promise, and may not')
}

class TookTooLong extends Error {}

const mistakes = [TookTooLong, TypeError, RangeError, ReferenceError, SyntaxError]

/** Not what an author throws on purpose. A value that throws when it is looked at is none of that either. */
function isMistake(error: unknown): boolean {
  try {
    return !(error instanceof Error) || mistakes.some((kind) => error instanceof kind)
  } catch {
    return true
  }
}
