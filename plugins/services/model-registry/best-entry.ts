/**
 * Which entry speaks for a model. Several may fit its name; one alone counts, wholly:
 *
 * 1. the whole name (`exact`) goes before its beginning (`prefix`), that before its end (`suffix`), that before any
 *    part of it (`contains`);
 * 2. within one rule the longer name goes before the shorter, counted in characters;
 * 3. of two as long, the older entry.
 *
 * Capitals count. An entry that is switched off takes part like any other, and hides what it speaks for.
 */
import type { ModelEntry, NameRule } from './model-registry.js'

export type BestEntry = (name: string) => ModelEntry | undefined

export function bestEntry(entries: Iterable<ModelEntry>): BestEntry {
  const byRule: Record<NameRule, ModelEntry[]> = { exact: [], prefix: [], suffix: [], contains: [] }
  for (const entry of entries) byRule[entry.rule].push(entry)
  const exact = new Map(byRule.exact.map((entry) => [entry.modelName, entry]))
  const prefixes = byRule.prefix.sort(longerFirst)
  const suffixes = byRule.suffix.sort(longerFirst)
  const parts = byRule.contains.sort(longerFirst)
  return (name) =>
    exact.get(name) ??
    prefixes.find(({ modelName }) => name.startsWith(modelName)) ??
    suffixes.find(({ modelName }) => name.endsWith(modelName)) ??
    parts.find(({ modelName }) => name.includes(modelName))
}

function longerFirst(left: ModelEntry, right: ModelEntry): number {
  return lengthOf(right.modelName) - lengthOf(left.modelName) || left.id - right.id
}

/** Code points, as everywhere names are measured (X8). */
function lengthOf(name: string): number {
  let length = 0
  for (const _ of name) length += 1
  return length
}
