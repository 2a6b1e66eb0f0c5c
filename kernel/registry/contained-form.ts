/**
 * A format or an operation from outside as the gateway calls it: what one of its functions throws, or one of a reader it
 * returned, is a fault that states whose it is. It is never set aside: its clients and its upstreams speak nothing else.
 */
import type { Reader } from '../contract/format.js'
import { present } from '../toolkit/json/fields.js'
import type { Health, Tally } from './health.js'
import { memberNames } from './members.js'
import { faultOf } from './verb.js'

export function containedForm<Form extends object>(form: Form, health: Health): Form {
  return mirrorOf(form, {
    tallyOf: (name) => health.tally(name, 'reported'),
    isLive: false,
    given: shown,
    // What reads a stream or a session, and nothing else, is called again later.
    returned: (name, value) => (readers.has(name) ? readerOf(name, value, health) : value),
  })
}

const readers: ReadonlySet<string> = new Set(['decodeStream', 'encodeStream', 'watch', 'session'])

function readerOf(verb: string, reader: unknown, health: Health): unknown {
  if (typeof reader !== 'object' || reader === null) return reader
  return mirrorOf(reader, {
    tallyOf: (name) => health.tally(`${verb}.${name}`, 'reported'),
    isLive: true,
    given: (_, given) => given,
    returned: (_, value) => value,
  })
}

/** At which place a function of a format gets for whom it writes. */
const readerAt: Readonly<Record<string, number>> = { encodeReply: 1, encodeStream: 0, watch: 0 }

/** The line passes its record, which holds keys and money: a format sees of it what the contract states of a reader. */
function shown(name: string, given: unknown[]): unknown[] {
  const at = readerAt[name]
  const reader = at === undefined ? undefined : given[at]
  if (at === undefined || typeof reader !== 'object' || reader === null) return given
  const { model, requestId, wantsUsage, hints, call, limits } = reader as Partial<Reader>
  return given.with(at, present({ model, requestId, wantsUsage, hints, call, limits }))
}

interface MirrorOptions {
  tallyOf(name: string): Tally
  /** Members besides functions change over time. */
  readonly isLive: boolean
  given(name: string, given: unknown[]): unknown[]
  returned(name: string, value: unknown): unknown
}

/** An object with the same members, whose functions are contained. */
function mirrorOf<Target extends object>(target: Target, options: MirrorOptions): Target {
  const mirror: Record<string, unknown> = {}
  for (const name of memberNames(target)) {
    const value: unknown = Reflect.get(target, name)
    if (typeof value === 'function') mirror[name] = containedMember(target, name, options)
    else if (!options.isLive) mirror[name] = value
    else
      Object.defineProperty(mirror, name, {
        get: () => Reflect.get(target, name),
        enumerable: true,
      })
  }
  return mirror as Target
}

function containedMember(
  target: object,
  name: string,
  { tallyOf, given: passed, returned }: MirrorOptions,
): (...given: unknown[]) => unknown {
  const tally = tallyOf(name)
  return (...given) => {
    const began = tally.began()
    try {
      return returned(name, Reflect.get(target, name).apply(target, passed(name, given)))
    } catch (error) {
      throw faultOf(tally, error)
    } finally {
      tally.ended(began)
    }
  }
}
