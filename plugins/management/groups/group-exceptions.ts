/**
 * What one group sets for another: ratios for callers of a group (`GroupGroupRatio`), and groups its users may use beside
 * or in spite of what everybody may. Each returns the members of an option that change; null removes one.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

export type Members = Readonly<Record<string, Json | undefined>>

type Ratios = Readonly<Record<string, number>>

/** By serving group, its ratios by group of the caller. Read once for all groups, since each caller may name thousands. */
export function specialRatios(all: JsonObject): ReadonlyMap<string, Ratios> {
  const found = new Map<string, [string, number][]>()
  for (const [caller, ratios] of Object.entries(all)) {
    if (!isObject(ratios)) continue
    for (const [name, ratio] of Object.entries(ratios)) {
      if (typeof ratio !== 'number') continue
      const known = found.get(name)
      if (known === undefined) found.set(name, [[caller, ratio]])
      else known.push([caller, ratio])
    }
  }
  return new Map([...found].map(([name, entries]) => [name, Object.fromEntries(entries)]))
}

/** With exactly these ratios for the serving group. A caller without any leaves the option. */
export function specialRatiosWith(
  all: JsonObject,
  name: string,
  ratios: Readonly<Record<string, number>>,
): Members {
  const callers = new Set([...Object.keys(all), ...Object.keys(ratios)])
  const changed = [...callers].flatMap((caller) => {
    const ratio = ownMember(ratios, caller) as number | undefined
    if (ownMember(objectAt(all, caller), name) === ratio) return []
    const { [name]: _, ...others } = objectAt(all, caller)
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
  return {
    also_usable: keys.filter((key) => !isRemoval(key)).map(groupOf),
    not_usable: keys.filter(isRemoval).map(groupOf),
  }
}

/** With exactly these; the description of an addition stays. `described` returns that of a new one. */
export function exceptionsWith(
  all: JsonObject,
  name: string,
  wanted: Exceptions,
  described: (group: string) => string,
): Members {
  const own = Object.entries(objectAt(all, name)).filter(([key]) => !isRemoval(key))
  const before = new Map(own.map((entry) => [groupOf(entry[0]), entry]))
  const added = wanted.also_usable.map(
    (group) => before.get(group) ?? ([`+:${group}`, described(group)] as const),
  )
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

function isRemoval(key: string): boolean {
  return key.startsWith('-:')
}

function ownMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function groupOf(key: string): string {
  return key.startsWith('+:') || key.startsWith('-:') ? key.slice(2) : key
}

function objectAt(all: JsonObject, name: string): JsonObject {
  const found = ownMember(all, name)
  return isObject(found) ? found : {}
}
