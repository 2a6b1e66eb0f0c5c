/**
 * Changes of prices that are collected before they are saved: over all pages of the list, and kept in this browser over
 * a reload. One set for the whole console, by model.
 */
import { computed, ref, shallowReactive, watch } from 'vue'
import type { ChangeRow, PriceChanges } from '../../api/prices.js'
import type { Column } from '../../ui/price-entry/columns.js'
import {
  blankEntry,
  type Change,
  changeBetween,
  changed,
  type Entry,
  entryOf,
  sentChange,
} from '../../ui/price-entry/entry.js'
import { keepDrafts, keptDrafts } from './kept-drafts.js'

export interface Draft {
  /** As it was when the change was made; undefined: nothing was written of the model. */
  readonly before?: Entry
  /** Null: all that is written of it goes. */
  readonly change: Change | null
  /** What stands in a cell and is no figure. */
  readonly typed: Readonly<Partial<Record<Column, string>>>
}

/** Longer than between two cells somebody fills in; a list of thousands is not written for each of them. */
const pauseMs = 300
const drafts = shallowReactive(new Map<string, Draft>())
const areKept = ref(true)
let isRead = false
let waiting: ReturnType<typeof setTimeout> | undefined

/** What is kept is read once; from then on changes are written. */
function read(): void {
  if (isRead) return
  isRead = true
  for (const [model, draft] of keptDrafts()) drafts.set(model, draft)
  watch(drafts, () => {
    waiting ??= setTimeout(write, pauseMs)
  })
  addEventListener('pagehide', write)
}

function write(): void {
  clearTimeout(waiting)
  if (waiting !== undefined) areKept.value = keepDrafts(drafts)
  waiting = undefined
}

export function useDrafts() {
  read()

  /** The price as it is to be; null: it goes. */
  function after(model: string, before: Entry | undefined): Entry | null {
    const draft = drafts.get(model)
    if (draft === undefined) return before ?? blankEntry
    return draft.change === null ? null : changed(before ?? blankEntry, draft.change)
  }

  function put(model: string, before: Entry | undefined, next: Entry): void {
    const typed = drafts.get(model)?.typed ?? {}
    keep(model, {
      before,
      typed,
      change: changeBetween(before ?? blankEntry, next) ?? { figures: {} },
    })
  }

  /** Text that is no figure stays in its cell; undefined: the cell has one again. */
  function type(model: string, before: Entry | undefined, column: Column, text?: string): void {
    const draft = drafts.get(model)
    const { [column]: _, ...others } = draft?.typed ?? {}
    const typed = text === undefined ? others : { ...others, [column]: text }
    keep(model, { before, typed, change: draft?.change ?? { figures: {} } })
  }

  function keep(model: string, draft: Draft): void {
    const idle = draft.change !== null && !isChange(draft.change)
    if (idle && Object.keys(draft.typed).length === 0) drafts.delete(model)
    else drafts.set(model, draft)
  }

  function remove(model: string, before: Entry | undefined): void {
    if (before === undefined) drafts.delete(model)
    else drafts.set(model, { before, change: null, typed: {} })
  }

  /** The prices have changed meanwhile; what is the same by now is no change any more. */
  function rebase(rows: readonly ChangeRow[]): void {
    for (const row of rows) {
      const change = drafts.get(row.model)?.change
      if (change === undefined) continue
      const before = row.before === null ? undefined : entryOf(row.before)
      if (change === null) remove(row.model, before)
      else put(row.model, before, changed(before ?? blankEntry, change))
    }
  }

  return {
    drafts,
    areKept,
    after,
    put,
    type,
    remove,
    rebase,
    undo: (model: string) => void drafts.delete(model),
    clear: () => drafts.clear(),
    /** Models with a cell that holds no figure. */
    faulty: computed(() =>
      [...drafts].filter(([, draft]) => isFaulty(draft)).map(([name]) => name),
    ),
  }
}

export function changesIn(all: ReadonlyMap<string, Draft>): PriceChanges {
  const sent = [...all].map(([model, { change }]) => [model, change && sentChange(change)] as const)
  return Object.fromEntries(sent)
}

function isChange({ free, card, figures }: Change): boolean {
  return free !== undefined || card !== undefined || Object.keys(figures).length > 0
}

function isFaulty({ change, typed }: Draft): boolean {
  const blank = Object.values(change?.figures ?? {}).includes('')
  return blank || Object.keys(typed).length > 0
}
