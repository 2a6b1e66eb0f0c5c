/** The options prices are kept in, as entries by model. */
import { type Figure, figures, type RateCard } from '../../../api/prices.js'
import { isObject } from '../../../ui/json-text.js'
import { blankEntry, type Entry, put } from '../../../ui/price-entry/entry.js'
import { plainNumber } from '../../../ui/price-entry/figure.js'

export const optionOf: Readonly<Record<Figure, string>> = {
  model_price: 'ModelPrice',
  model_ratio: 'ModelRatio',
  completion_ratio: 'CompletionRatio',
  cache_ratio: 'CacheRatio',
  create_cache_ratio: 'CreateCacheRatio',
  image_ratio: 'ImageRatio',
  audio_ratio: 'AudioRatio',
  audio_completion_ratio: 'AudioCompletionRatio',
}
export const freeOption = 'FreeModels'
export const cardOption = 'TaskRateCards'

/** Figures by model, rate cards, and the free ones; what a file does not speak of is undefined. */
export interface PriceMaps {
  readonly figures: Readonly<Partial<Record<Figure, ReadonlyMap<string, string>>>>
  readonly cards?: ReadonlyMap<string, RateCard>
  readonly free?: ReadonlySet<string>
}

export function mapsOf(texts: ReadonlyMap<string, string>): PriceMaps {
  const read = figures.map((figure) => {
    const map = JSON.parse(texts.get(optionOf[figure]) ?? '{}') as Record<string, number>
    return [
      figure,
      new Map(Object.entries(map).map(([name, n]) => [name, plainNumber(n)])),
    ] as const
  })
  const free = JSON.parse(texts.get(freeOption) ?? '[]') as readonly string[]
  const cards = cardsIn(JSON.parse(texts.get(cardOption) ?? '{}'))
  return { figures: Object.fromEntries(read), cards, free: new Set(free) }
}

/** Cards as the option holds them: decimals may be numbers there. */
export function cardsIn(value: Readonly<Record<string, unknown>>): ReadonlyMap<string, RateCard> {
  const texts = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'number' ? plainNumber(one) : one,
  )
  return new Map(Object.entries(JSON.parse(texts)).map(([name, card]) => [name, withWhen(card)]))
}

/** A row for everything may be written without saying so. */
function withWhen(card: unknown): RateCard {
  if (!isObject(card) || !Array.isArray(card.rates)) return card as RateCard
  const rates = card.rates.map((rate: unknown) => (isObject(rate) ? { when: {}, ...rate } : rate))
  const filled: unknown = { ...card, rates }
  return filled as RateCard
}

export function namesIn({ figures: maps, cards, free }: PriceMaps): ReadonlySet<string> {
  const named = Object.values(maps).flatMap((map) => [...map.keys()])
  return new Set([...named, ...(cards?.keys() ?? []), ...(free ?? [])].map(normalName))
}

export function entriesOf(maps: PriceMaps): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  const change = (name: string, next: (entry: Entry) => Entry) => {
    const model = normalName(name)
    entries.set(model, next(entries.get(model) ?? blankEntry))
  }
  for (const figure of figures) {
    for (const [name, text] of maps.figures[figure] ?? []) {
      change(name, (entry) => put(entry, { [figure]: text }))
    }
  }
  for (const [name, card] of maps.cards ?? []) change(name, (entry) => ({ ...entry, card }))
  for (const name of maps.free ?? []) change(name, (entry) => ({ ...entry, free: true }))
  return entries
}

/** Names that differ in nothing else are one name to the gateway. */
export function normalName(name: string): string {
  return name.normalize('NFC').trim()
}

/** The price options as one document, every digit as it is stored. */
export function exportText(texts: ReadonlyMap<string, string>): string {
  const keys = [...Object.values(optionOf), cardOption, freeOption]
  const parts = keys.map(
    (key) => `"${key}": ${texts.get(key) ?? (key === freeOption ? '[]' : '{}')}`,
  )
  return `{\n${parts.join(',\n')}\n}\n`
}
