/** Objects with functions, as the other side sees them: what they are made of, and a copy whose functions call across. */
import { types } from 'node:util'
import { memberNames } from '../members.js'
import type { Description } from './messages.js'

export type Callable = (...given: unknown[]) => unknown

/** An object as others see it, and its functions by their places. */
export interface Described {
  readonly description: Description
  readonly functions: readonly Callable[]
}

const depthMax = 8

/** `isLive`: members besides functions are read each time, since they change. Throws where it is nested too deep. */
export function described(target: object, isLive: boolean): Described {
  const functions: Callable[] = []
  const placeOf = (one: Callable) => functions.push(one) - 1

  function describe(value: unknown, depth: number): Description {
    if (!isStructure(value)) return { kind: 'value', value }
    if (depth === depthMax) throw new RangeError('what it returns is nested too deep')
    if (Array.isArray(value)) {
      return { kind: 'list', items: value.map((item) => describe(item, depth + 1)) }
    }
    const members: Record<string, Description> = {}
    for (const name of memberNames(value)) {
      if (name !== '__proto__') members[name] = memberOf(value, name, depth)
    }
    return { kind: 'object', members }
  }

  function memberOf(owner: object, name: string, depth: number): Description {
    // A getter of something live is not run ahead of its use.
    const value: unknown = isLive && isAccessor(owner, name) ? undefined : Reflect.get(owner, name)
    if (typeof value === 'function') {
      return { kind: 'function', at: placeOf((...given) => value.apply(owner, given)) }
    }
    if (isLive) return { kind: 'live', at: placeOf(() => Reflect.get(owner, name)) }
    return describe(value, depth + 1)
  }

  return { description: describe(target, 0), functions }
}

/** What is returned by reference: an object with functions of its own or of its class. */
export function hasFunctions(value: unknown): value is object {
  if (!isStructure(value) || Array.isArray(value)) return false
  const kind: unknown = Object.getPrototypeOf(value)
  if (kind === Object.prototype || kind === null) {
    return Object.values(value).some((member) => typeof member === 'function')
  }
  for (const name of memberNames(value)) {
    if (!isAccessor(value, name) && typeof Reflect.get(value, name) === 'function') return true
  }
  return false
}

/** The object a description is of, each of whose functions is one of `functionAt`. */
export function mirrored(
  description: Description,
  functionAt: (at: number, name: string) => Callable,
  name = '',
): unknown {
  switch (description.kind) {
    case 'value':
      return description.value
    case 'function':
    case 'live':
      return functionAt(description.at, name)
    case 'list':
      return description.items.map((item) => mirrored(item, functionAt, name))
    case 'object':
      return mirroredObject(description.members, functionAt)
  }
}

function mirroredObject(
  members: Readonly<Record<string, Description>>,
  functionAt: (at: number, name: string) => Callable,
): object {
  const mirror = {}
  for (const [name, member] of Object.entries(members)) {
    const value = mirrored(member, functionAt, name)
    const property = member.kind === 'live' ? { get: value as Callable } : { value, writable: true }
    Object.defineProperty(mirror, name, { ...property, enumerable: true, configurable: true })
  }
  return mirror
}

/** Made of members, and no value that is copied as a whole. */
function isStructure(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  return !(
    ArrayBuffer.isView(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isRegExp(value) ||
    types.isDate(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isNativeError(value) ||
    types.isPromise(value)
  )
}

function isAccessor(owner: object, name: string): boolean {
  for (let at: unknown = owner; at; at = Object.getPrototypeOf(at)) {
    const property = Object.getOwnPropertyDescriptor(at, name)
    if (property !== undefined) return property.get !== undefined
  }
  return false
}
