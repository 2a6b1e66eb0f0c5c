/**
 * A small language for what a vendor documents of a request: a check reads one value and notes what is wrong with it.
 * Names a record does not list are faults, since a strict service refuses them.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

export interface Faults {
  readonly found: string[]
  /** Names that a test sends on purpose although no vendor documents them. */
  readonly allowed: ReadonlySet<string>
}

export type Check = (value: Json, at: string, faults: Faults) => void

export function fault(faults: Faults, at: string, complaint: string): void {
  faults.found.push(`${at === '' ? 'body' : at} ${complaint}`)
}

export const anything: Check = () => {}

export const flag = kindOf('true or false', (value) => typeof value === 'boolean')
export const text = kindOf('a string', (value) => typeof value === 'string')
export const some = kindOf('a string with something in it', (value) => {
  return typeof value === 'string' && value.trim() !== ''
})
export const object = kindOf('an object', isObject)

export function matching(pattern: RegExp): Check {
  return kindOf(`a string like ${pattern}`, (value) => {
    return typeof value === 'string' && pattern.test(value)
  })
}

export function words(...known: readonly string[]): Check {
  return kindOf(`one of ${known.join(', ')}`, (value) => known.includes(value as string))
}

export function number(least: number, most: number): Check {
  return kindOf(`a number from ${least} to ${most}`, (value) => {
    return typeof value === 'number' && value >= least && value <= most
  })
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  return kindOf(`a whole number from ${least} to ${most}`, (value) => {
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  })
}

export function list(item: Check, least = 0, most = Number.MAX_SAFE_INTEGER): Check {
  return (value, at, faults) => {
    if (!Array.isArray(value)) return fault(faults, at, 'must be an array')
    if (value.length < least || value.length > most) {
      fault(faults, at, `holds ${value.length} items, not ${least} to ${most}`)
    }
    for (const [index, one] of value.entries()) item(one, `${at}[${index}]`, faults)
  }
}

export function mapOf(item: Check): Check {
  return (value, at, faults) => {
    if (!isObject(value)) return fault(faults, at, 'must be an object')
    for (const [name, one] of Object.entries(value)) item(one!, `${at}.${name}`, faults)
  }
}

/** Some vendors read `null` as a field that was not sent. */
export function orNull(check: Check): Check {
  return (value, at, faults) => (value === null ? undefined : check(value, at, faults))
}

/** One check for a string, another for anything else. */
export function textOr(other: Check, asText: Check = text): Check {
  return (value, at, faults) => (typeof value === 'string' ? asText : other)(value, at, faults)
}

export type Fields = Readonly<Record<string, Check>>

/** `and`: rules between fields, which see the whole object. */
export function record(required: Fields, optional: Fields = {}, and?: Rule): Check {
  return (value, at, faults) => {
    if (!isObject(value)) return fault(faults, at, 'must be an object')
    for (const name of Object.keys(required)) {
      if (value[name] === undefined) fault(faults, place(at, name), 'is required')
    }
    for (const [name, one] of Object.entries(value)) {
      const known = own(required, name) ?? own(optional, name)
      if (known !== undefined) known(one!, place(at, name), faults)
      else if (!faults.allowed.has(name)) fault(faults, place(at, name), 'is not known')
    }
    and?.(value, at, faults)
  }
}

export type Rule = (value: JsonObject, at: string, faults: Faults) => void

/** Which of several records it is stands in a field of it. */
export function tagged(tag: string, kinds: Fields, absent?: string): Check {
  return (value, at, faults) => {
    if (!isObject(value)) return fault(faults, at, 'must be an object')
    const kind = value[tag] ?? absent
    const known = typeof kind === 'string' ? own(kinds, kind) : undefined
    if (known === undefined) {
      return fault(faults, place(at, tag), `must be one of ${Object.keys(kinds).join(', ')}`)
    }
    known(value, at, faults)
  }
}

/** These fields mean nothing without that one, and are refused. */
export function needs(field: string, others: readonly string[]): Rule {
  return (value, at, faults) => {
    if (isThere(value[field])) return
    for (const other of others) {
      if (value[other] !== undefined && value[other] !== null) {
        fault(faults, place(at, other), `needs ${field}`)
      }
    }
  }
}

export function all(...rules: readonly Rule[]): Rule {
  return (value, at, faults) => {
    for (const rule of rules) rule(value, at, faults)
  }
}

export function place(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

function own(fields: Fields, name: string): Check | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function isThere(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false) return false
  return !Array.isArray(value) || value.length > 0
}

function kindOf(what: string, holds: (value: Json) => boolean): Check {
  return (value, at, faults) => {
    if (!holds(value)) fault(faults, at, `must be ${what}`)
  }
}
