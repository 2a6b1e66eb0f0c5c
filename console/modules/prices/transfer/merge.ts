/** What a file of prices changes in those there are. */
import { figures } from '../../../api/prices.js'
import { blankEntry, changeBetween, type Entry, put } from '../../../ui/price-entry/entry.js'
import { entriesOf, namesIn, type PriceMaps } from './price-maps.js'

/** `merge`: models the file does not name stay. `replace`: they lose their price. */
export type Way = 'merge' | 'replace'

export interface Difference {
  readonly model: string
  readonly before: Entry | undefined
  /** Null: it goes. */
  readonly after: Entry | null
}

export interface Outcome {
  readonly differences: readonly Difference[]
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly same: number
}

export function outcomeOf(now: PriceMaps, file: PriceMaps, way: Way): Outcome {
  const before = entriesOf(now)
  const inFile = entriesOf(file)
  const named = namesIn(file)
  const differences: Difference[] = []
  for (const model of named) {
    const was = before.get(model)
    const after =
      way === 'replace' ? inFile.get(model)! : merged(was ?? blankEntry, inFile.get(model)!, file)
    if (changeBetween(was ?? blankEntry, after) !== undefined) {
      differences.push({ model, before: was, after })
    }
  }
  const changed = differences.filter((one) => one.before !== undefined).length
  const gone = way === 'replace' ? [...before].filter(([model]) => !named.has(model)) : []
  const removals = gone.map(([model, entry]) => ({ model, before: entry, after: null }))
  return {
    differences: [...differences, ...removals],
    added: differences.length - changed,
    changed,
    removed: removals.length,
    same: named.size - differences.length,
  }
}

/**
 * What the file names stands before what there is; a ratio takes the place of a fixed price or a card, and a card that
 * of a fixed price, which else would win.
 */
function merged(was: Entry, read: Entry, file: PriceMaps): Entry {
  const named = figures.filter((figure) => read.figures[figure] !== null)
  const values = Object.fromEntries(named.map((figure) => [figure, read.figures[figure]]))
  const byRatio = read.figures.model_ratio !== null && read.figures.model_price === null
  const byCard = read.card !== null && read.figures.model_price === null
  const next = put(was, { ...((byRatio || byCard) && { model_price: null }), ...values })
  const card = read.card ?? (byRatio ? null : was.card)
  return { ...next, card, free: file.free === undefined ? was.free : read.free }
}
