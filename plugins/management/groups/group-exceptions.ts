/**
 * What one group sets for another: ratios for callers of a group (`GroupGroupRatio`), and groups its users may use beside
 * or in spite of what everybody may. Each answers the members of an option that change; null takes one away.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

export type Members = Readonly<Record<string, Json | undefined>>

/** By group of the caller, the ratios of one answering group. */
export function specialRatiosOf(all: JsonObject, name: string): Readonly<Record<string, number>> {
  const found = Object.entries(all).flatMap(([caller, of]) => {
    const ratio = isObject(of) ? of[name] : undefined
    return typeof ratio === 'number' ? [[caller, ratio] as const] : []
  })
  return Object.fromEntries(found)
}

/** With exactly these ratios for the answering group. A caller without any leaves the option. */
export function specialRatiosWith(
  all: JsonObject,
  name: string,
  ratios: Readonly<Record<string, number>>,
): Members {
  const callers = new Set([...Object.keys(all), ...Object.keys(ratios)])
  const changed = [...callers].flatMap((caller) => {
    const { [name]: before, ...others } = objectAt(all, caller)
    const ratio = ratios[caller]
    if (before === ratio) return []
    const next = ratio === undefined ? others : { ...others, [name]: ratio }
    return [[caller, Object.keys(next).length === 0 ? null : next] as const]
  })
  return Object.fromEntries(changed)
}

export interface Exceptions {
  readonly also_usable: readonly string[]
  readonly not_usable: readonly string[]
}

export function exceptionsOf(all: JsonObject, name: string): Exceptions {
  const keys = Object.keys(objectAt(all, name))
  const removed = keys.filter((key) => key.startsWith('-:'))
  return {
    also_usable: keys.filter((key) => !removed.includes(key)).map(groupOf),
    not_usable: removed.map(groupOf),
  }
}

/** With exactly these; what an addition is described as stays. `told`: what a new one is described as. */
export function exceptionsWith(
  all: JsonObject,
  name: string,
  wanted: Exceptions,
  reported: (group: string) => string,
): Members {
  const own = Object.entries(objectAt(all, name))
  const added = wanted.also_usable.map((group) => {
    const before = own.find(([key]) => !key.startsWith('-:') && groupOf(key) === group)
    return before ?? ([`+:${group}`, reported(group)] as const)
  })
  const removed = wanted.not_usable.map((group) => [`-:${group}`, ''] as const)
  const entries = [...added, ...removed]
  return { [name]: entries.length === 0 ? null : Object.fromEntries(entries) }
}

/** Nobody's exceptions name the group any more. */
export function exceptionsWithout(all: JsonObject, name: string): Members {
  const changed = Object.keys(all).flatMap((caller) => {
    const own = Object.entries(objectAt(all, caller))
    const kept = own.filter(([key]) => groupOf(key) !== name)
    if (caller !== name && kept.length === own.length) return []
    const gone = caller === name || kept.length === 0
    return [[caller, gone ? null : Object.fromEntries(kept)] as const]
  })
  return Object.fromEntries(changed)
}

function groupOf(key: string): string {
  return key.startsWith('+:') || key.startsWith('-:') ? key.slice(2) : key
}

function objectAt(all: JsonObject, name: string): JsonObject {
  const found = Object.hasOwn(all, name) ? all[name] : undefined
  return isObject(found) ? found : {}
}
