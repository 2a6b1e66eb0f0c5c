/** Saved views of a list: a name, and what stands in the address of the list as it is shown, page aside. */
import { isObject } from '../json-text.js'

export type Words = Readonly<Record<string, string>>

export interface View {
  readonly name: string
  readonly words: Words
}

/** Why a view cannot be saved. */
export type ViewFault = 'empty' | 'taken' | 'full' | 'refused'

export const viewsMax = 30
export const nameMax = 60

/** What is not a view is passed over. */
export function readViews(kept: unknown): readonly View[] {
  const views = Array.isArray(kept) ? kept.flatMap(readView) : []
  return views.slice(0, viewsMax)
}

function readView(kept: unknown): readonly View[] {
  if (!isObject(kept) || typeof kept.name !== 'string' || !isObject(kept.words)) return []
  const words = Object.entries(kept.words).filter(([, value]) => typeof value === 'string')
  return [{ name: kept.name.slice(0, nameMax), words: Object.fromEntries(words) as Words }]
}

/** @param own the name the view has now, if it has one */
export function nameFault(
  views: readonly View[],
  name: string,
  own?: string,
): ViewFault | undefined {
  if (name === '') return 'empty'
  const same = (one: View) => one.name.toLowerCase() === name.toLowerCase()
  if (views.some((one) => one.name !== own && same(one))) return 'taken'
  return own === undefined && views.length >= viewsMax ? 'full' : undefined
}

export function isSameView(one: Words, other: Words): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}
