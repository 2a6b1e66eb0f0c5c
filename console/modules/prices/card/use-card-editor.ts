/** Which model's rate card is edited. One editor for the page, opened by any row of it. */
import { shallowRef } from 'vue'
import type { RateCard } from '../../../api/prices.js'
import { type Entry, inCard } from '../../../ui/price-entry/entry.js'
import { useDrafts } from '../use-drafts.js'

export interface OpenCard {
  readonly model: string
  /** As the gateway has it. */
  readonly before: Entry | undefined
  readonly entry: Entry
  /** The card is to count from now on, so a fixed price that stands before it goes. */
  readonly counts: boolean
}

const open = shallowRef<OpenCard>()

export function useCardEditor() {
  const { put } = useDrafts()
  return {
    open,
    edit: (card: OpenCard) => {
      open.value = card
    },
    close: () => {
      open.value = undefined
    },
    /** The card becomes a change like any other, and is compared before it is saved. */
    take(card: RateCard, counts: boolean): void {
      if (open.value === undefined) return
      const { model, before, entry } = open.value
      put(model, before, counts ? inCard(entry, card) : { ...entry, card })
      open.value = undefined
    },
  }
}
