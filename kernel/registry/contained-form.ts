/**
 * A format or an operation from outside as the gateway calls it: what one of its functions throws, or one of a reader it
 * returned, is a fault that states whose it is. It is never set aside: its clients and its upstreams speak nothing else.
 */
import type { Health, Tally } from './health.js'
import { memberNames } from './members.js'
import { faultOf } from './verb.js'

export function containedForm<Form extends object>(form: Form, health: Health): Form {
  return mirrorOf(form, {
    tallyOf: (name) => health.tally(name, 'reported'),
    isLive: false,
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
    returned: (_, value) => value,
  })
}

interface MirrorOptions {
  tallyOf(name: string): Tally
  /** Members besides functions change over time. */
  readonly isLive: boolean
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
  { tallyOf, returned }: MirrorOptions,
): (...given: unknown[]) => unknown {
  const tally = tallyOf(name)
  return (...given) => {
    const began = tally.began()
    try {
      return returned(name, Reflect.get(target, name).apply(target, given))
    } catch (error) {
      throw faultOf(tally, error)
    } finally {
      tally.ended(began)
    }
  }
}
