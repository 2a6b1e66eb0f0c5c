/** Changes many models of the list at once, each as a draft. */
import { type Ref, ref } from 'vue'
import { type RateCard, readPriceTexts } from '../../../api/prices.js'
import { type Decimal, plainText, rounded, times } from '../../../ui/decimal.js'
import { blankEntry, type Entry, modeOf, put } from '../../../ui/price-entry/entry.js'
import { readFigure } from '../../../ui/price-entry/figure.js'
import type { GridRow } from '../grid/price-grid.vue'
import { entriesOf, mapsOf } from '../transfer/price-maps.js'
import { useDrafts } from '../use-drafts.js'

const decimalsMax = 12

export function useBulk(chosen: Ref<ReadonlyMap<string, GridRow>>) {
  const drafts = useDrafts()
  const reading = ref(false)

  /** Undefined: this model stays as it is. Answers how many changed. */
  function each(change: (entry: Entry) => Entry | undefined): number {
    let count = 0
    for (const { model, before } of chosen.value.values()) {
      const next = change(drafts.after(model, before) ?? before ?? blankEntry)
      if (next === undefined) continue
      drafts.put(model, before, next)
      count += 1
    }
    return count
  }

  function removeAll(): void {
    for (const { model, before } of chosen.value.values()) drafts.remove(model, before)
  }

  function undoAll(): void {
    for (const model of chosen.value.keys()) drafts.undo(model)
  }

  /** Every model whose name holds the word, on whichever page. */
  async function chooseAll(keyword: string): Promise<void> {
    reading.value = true
    try {
      const entries = entriesOf(mapsOf(await readPriceTexts()))
      const wanted = keyword.toLowerCase()
      const found = [...entries].filter(([model]) => model.toLowerCase().includes(wanted))
      const rows = found.map(([model, before]) => [model, { model, before, served: undefined }])
      chosen.value = new Map(rows as [string, GridRow][])
    } finally {
      reading.value = false
    }
  }

  return { each, removeAll, undoAll, chooseAll, reading }
}

/** All other prices are factors over the first, so they follow. Undefined: there is nothing to multiply. */
export function multiplied(entry: Entry, factor: Decimal): Entry | undefined {
  const mode = modeOf(entry)
  if (mode === 'free' || mode === 'none') return undefined
  if (mode === 'card' && entry.card !== null)
    return { ...entry, card: multipliedCard(entry.card, factor) }
  const figure = mode === 'price' ? 'model_price' : 'model_ratio'
  const value = multipliedText(entry.figures[figure] ?? '', factor)
  return value === undefined ? undefined : put(entry, { [figure]: value })
}

function multipliedCard(card: RateCard, factor: Decimal): RateCard {
  const dearer = (price: string) => multipliedText(price, factor) ?? price
  const { price, rates } = card
  return {
    ...card,
    ...(price !== undefined && { price: dearer(price) }),
    ...(rates !== undefined && {
      rates: rates.map((rate) => ({ ...rate, price: dearer(rate.price) })),
    }),
  }
}

/** Undefined: it is no figure. */
function multipliedText(text: string, factor: Decimal): string | undefined {
  const value = readFigure(text)
  return value && plainText(rounded(times(value, factor), decimalsMax))
}
