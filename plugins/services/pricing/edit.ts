/**
 * Changes of single models as new texts of the price options. Entries nobody touched keep their keys and every digit
 * of their numbers; an option nothing changes in is left alone.
 */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { readNumbers } from './map-text.js'
import { faultOfKey, normalKey, shownKey } from './model-key.js'
import { type PriceMaps, priceOptions } from './price-maps.js'
import type { ModelChange, PriceChange, PriceChanges, WrittenCard } from './pricing.js'
import {
  figureFields,
  figureNames,
  type ModelField,
  type ModelMaps,
  modelFields,
  quoteOf,
} from './quote.js'
import { readCardTexts } from './rate-cards/card-text.js'

/** By option key. */
export type PriceTexts = Readonly<Record<string, string>>

export interface Edit {
  /** Only what changes. */
  readonly texts: PriceTexts
  readonly changes: readonly PriceChange[]
}

const freeModels = priceOptions.freeModels.option

/** The options a model's own figures stand in. */
export const editedOptions = modelFields.map((field) => priceOptions[field].option)

/** Reads the text of an option. Throws a `Refusal` that names option and key. */
export type ReadMap = <Field extends ModelField>(field: Field, text: string) => PriceMaps[Field]

/** `texts` holds every option of `editedOptions`. Throws a `Refusal`. */
export function edit(texts: PriceTexts, requested: PriceChanges, read: ReadMap): Edit {
  const changes = byNormalName(requested)
  const before = mapsOf(texts, read)
  const edited = {
    ...figureTexts(texts, changes),
    ...cardsText(texts, changes, before.taskRateCards),
    ...freeText(texts, changes, before.freeModels),
  }
  const after = mapsOf({ ...texts, ...edited }, read)
  const rows = [...changes.keys()].map((model) => ({
    model,
    before: quoteOf(before, model),
    after: quoteOf(after, model),
  }))
  return { texts: edited, changes: rows }
}

function figureTexts(texts: PriceTexts, changes: Changes): PriceTexts {
  const edited: Record<string, string> = {}
  for (const figure of figureNames) {
    const { option } = priceOptions[figureFields[figure]]
    const values = valuesOf(changes, (change) => (change === null ? null : change[figure]))
    const text = mapText(texts[option]!, values)
    if (text !== undefined) edited[option] = text
  }
  return edited
}

type Changes = ReadonlyMap<string, ModelChange | null>

/** Two spellings of one name in the same change would contradict each other (BILL-8). */
function byNormalName(requested: PriceChanges): Changes {
  const changes = new Map<string, ModelChange | null>()
  for (const [name, change] of Object.entries(requested)) {
    const fault = faultOfKey(name)
    if (fault !== undefined) throw refusal(`The model ${shownKey(name)} ${fault}.`)
    const normal = normalKey(name)
    if (changes.has(normal)) throw refusal(`The model ${shownKey(normal)} stands there twice.`)
    changes.set(normal, change)
  }
  return changes
}

function refusal(reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param: 'changes' })
}

/** New value by name, null to take the entry away; names without that figure are left out. */
function valuesOf<Value>(
  changes: Changes,
  valueIn: (change: ModelChange | null) => Value | null | undefined,
): Map<string, Value | null> {
  const values = new Map<string, Value | null>()
  for (const [name, change] of changes) {
    const value = valueIn(change)
    if (value !== undefined) values.set(name, value)
  }
  return values
}

/** Undefined: nothing changes. */
function mapText(text: string, values: Map<string, number | null>): string | undefined {
  if (values.size === 0) return undefined
  const lines: string[] = []
  let changed = false
  for (const { key, number } of readNumbers(text)) {
    const name = normalKey(key)
    const value = values.get(name)
    values.delete(name)
    const kept = value === undefined || value === Number(number)
    if (!kept) changed = true
    if (kept) lines.push(line(key, number))
    else if (value !== null) lines.push(line(key, String(value)))
  }
  for (const [name, value] of values) {
    if (value === null) continue
    changed = true
    lines.push(line(name, String(value)))
  }
  return changed ? block('{', lines, '}') : undefined
}

/** Cards nobody touched stay as they stand there, white space included. */
function cardsText(
  texts: PriceTexts,
  changes: Changes,
  before: PriceMaps['taskRateCards'],
): PriceTexts {
  const values = valuesOf(changes, (change) => (change === null ? null : change.rate_card))
  const { option } = priceOptions.taskRateCards
  const written = (name: string) => before.get(name)?.written
  const changed = [...values].filter(([name, value]) => cardText(value) !== cardText(written(name)))
  if (changed.length === 0) return {}
  const left = new Map(changed)
  const lines: string[] = []
  for (const { key, source } of readCardTexts(texts[option]!)) {
    const name = normalKey(key)
    const value = left.get(name)
    left.delete(name)
    if (value !== null) lines.push(line(key, value === undefined ? source : cardText(value)))
  }
  for (const [name, value] of left) if (value !== null) lines.push(line(name, cardText(value)))
  return { [option]: block('{', lines, '}') }
}

function cardText(card: WrittenCard | null | undefined): string {
  if (card === null || card === undefined) return ''
  const { unit, price, rates, minimum, step } = card
  return JSON.stringify({ unit, price, rates, minimum, step })
}

function freeText(texts: PriceTexts, changes: Changes, before: ReadonlySet<string>): PriceTexts {
  const free = new Set(before)
  for (const [name, change] of changes) {
    if (change === null || change.free === false) free.delete(name)
    else if (change.free) free.add(name)
  }
  const added = [...free].filter((name) => !before.has(name))
  if (added.length === 0 && free.size === before.size) return {}
  const written = JSON.parse(texts[freeModels]!) as readonly string[]
  const kept = written.filter((name) => free.has(normalKey(name)))
  const lines = [...kept, ...added].map((name) => `  ${JSON.stringify(name)}`)
  return { [freeModels]: block('[', lines, ']') }
}

function line(key: string, number: string): string {
  return `  ${JSON.stringify(key)}: ${number}`
}

/** One line per entry, so that an admin can read it. */
function block(open: string, lines: readonly string[], close: string): string {
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${close}`
}

function mapsOf(texts: PriceTexts, read: ReadMap): ModelMaps {
  const maps = modelFields.map((field) => {
    return [field, read(field, texts[priceOptions[field].option]!)] as const
  })
  return Object.fromEntries(maps) as unknown as ModelMaps
}
