/** Entries and vendors in memory, and which of them match a name: found once, kept until one of them changes. */
import { type BestEntry, bestEntry } from './best-entry.js'
import { endpointsByName, isChat } from './endpoint-types.js'
import type { ModelEntry, ModelFacts, Vendor } from './model-registry.js'

export interface Facts {
  describe(name: string): ModelFacts
  revision(): number
  /** Takes over rows that changed; those that are gone are left out of `found`. */
  takeEntries(ids: Iterable<number>, found: readonly ModelEntry[]): void
  takeVendors(ids: Iterable<number>, found: readonly Vendor[]): void
}

/** Names looked up come from channels; the bound is for the case that they change often. */
const keptMax = 20_000

export function createFacts(): Facts {
  const entries = new Map<number, ModelEntry>()
  const vendors = new Map<number, Vendor>()
  const kept = new Map<string, ModelFacts>()
  let best: BestEntry | undefined
  let revision = 0

  function describe(name: string): ModelFacts {
    const known = kept.get(name)
    if (known !== undefined) return known
    if (kept.size >= keptMax) kept.clear()
    const made = factsOf(name)
    kept.set(name, made)
    return made
  }

  function factsOf(name: string): ModelFacts {
    best ??= bestEntry(entries.values())
    const entry = best(name.normalize('NFC').trim())
    const vendor = entry?.vendorId === undefined ? undefined : vendors.get(entry.vendorId)
    const endpoints = entry?.endpoints ?? endpointsByName(name)
    return {
      entry,
      vendor: vendor?.enabled ? vendor : undefined,
      endpoints,
      isChat: isChat(endpoints),
      hidden: entry?.enabled === false,
    }
  }

  function forget(): void {
    kept.clear()
    revision += 1
  }

  return {
    describe,
    revision: () => revision,
    takeEntries(ids, found) {
      replace(entries, ids, found)
      best = undefined
      forget()
    },
    takeVendors(ids, found) {
      replace(vendors, ids, found)
      forget()
    },
  }
}

function replace<Row extends { readonly id: number }>(
  rows: Map<number, Row>,
  ids: Iterable<number>,
  found: readonly Row[],
): void {
  for (const id of ids) rows.delete(id)
  for (const row of found) rows.set(row.id, row)
}
