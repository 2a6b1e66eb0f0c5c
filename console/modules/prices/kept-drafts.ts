/** Changes of prices as they are kept in this browser over a reload. */
import { forget, recall, recallJson, remember } from '../../shell/remembered.js'
import { isObject } from '../../ui/json-text.js'
import { blankEntry, type Entry, put } from '../../ui/price-entry/entry.js'
import type { Draft } from './use-drafts.js'

const place = 'price-drafts'

export function keptDrafts(): ReadonlyMap<string, Draft> {
  const kept = recallJson(place)
  return new Map(Array.isArray(kept) ? kept.flatMap(unpacked) : [])
}

/** False: there are more than the browser keeps; then none is kept, rather than those of some time ago. */
export function keepDrafts(drafts: ReadonlyMap<string, Draft>): boolean {
  if (drafts.size === 0) {
    forget(place)
    return true
  }
  const text = JSON.stringify([...drafts].map(packed))
  remember(place, text)
  if (recall(place) === text) return true
  forget(place)
  return false
}

function packed([model, { before, ...draft }]: readonly [string, Draft]) {
  return [model, { ...draft, ...(before && { before: written(before) }) }]
}

/** Thousands of entries fit where what is not written takes no room. */
function written({ free, figures, card }: Entry) {
  const set = Object.entries(figures).filter(([, figure]) => figure !== null)
  return { free, figures: Object.fromEntries(set), ...(card !== null && { card }) }
}

function unpacked(kept: unknown): readonly (readonly [string, Draft])[] {
  const [model, draft]: unknown[] = Array.isArray(kept) ? kept : []
  if (typeof model !== 'string' || !isObject(draft) || !isObject(draft.typed)) return []
  const { before, change, typed } = draft as unknown as Draft
  const entry =
    before && put({ ...blankEntry, free: before.free, card: before.card ?? null }, before.figures)
  return [[model, { typed, change: change ?? null, ...(entry && { before: entry }) }]]
}
