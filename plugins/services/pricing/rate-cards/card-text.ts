/** Reads the JSON text of `TaskRateCards`: which fields stand where, before anything is made of them. */
import { entriesMax, MapReader, MapTextError } from '../map-reader.js'
import { shownKey } from '../model-key.js'

/** What stands in one card; every decimal is the text it is written in. */
export interface CardText {
  readonly unit?: string
  readonly price?: string
  readonly rates?: readonly RateText[]
  readonly minimum?: string
  readonly step?: string
}

export interface RateText {
  readonly when?: Readonly<Record<string, string>>
  readonly price?: string
}

export interface CardEntry {
  readonly key: string
  readonly card: CardText
  /** The card as it stands in the text. */
  readonly source: string
}

/** A row of a card has a few keys of its own. */
const keysMax = 10 * entriesMax

/** Throws a `MapTextError`. */
export function readCardTexts(text: string): readonly CardEntry[] {
  const reader = new MapReader(text, keysMax)
  return reader.whole((key) => {
    const [card, source] = reader.quoted(() => readCard(reader, shownKey(key)))
    return { key, card, source }
  })
}

function readCard(reader: MapReader, model: string): CardText {
  const amount = (name: string) => reader.amount(`${name} of ${model}`)
  return fieldsOf(reader, model, {
    unit: () => reader.words(`unit of ${model}`),
    price: () => amount('price'),
    rates: () => reader.list(`rates of ${model}`, (at) => readRate(reader, rateOf(model, at))),
    minimum: () => amount('minimum'),
    step: () => amount('step'),
  })
}

function readRate(reader: MapReader, place: string): RateText {
  return fieldsOf(reader, place, {
    when: () => readWhen(reader, place),
    price: () => reader.amount(`price of ${place}`),
  })
}

function readWhen(reader: MapReader, place: string): Readonly<Record<string, string>> {
  const pairs = reader.members(`when of ${place}`, (name) => {
    return [name, reader.words(`${shownKey(name)} of ${place}`)] as const
  })
  return onceEach(pairs, `when of ${place}`)
}

/** As errors name it. */
export function rateOf(model: string, at: number): string {
  return `rate ${at + 1} of ${model}`
}

function fieldsOf(
  reader: MapReader,
  place: string,
  fields: Readonly<Record<string, () => unknown>>,
): Readonly<Record<string, unknown>> {
  const pairs = reader.members(place, (name) => {
    const read = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (read !== undefined) return [name, read()] as const
    throw new MapTextError(`must not hold ${shownKey(name)} for ${place}`)
  })
  return onceEach(pairs, place)
}

function onceEach<Value>(
  pairs: readonly (readonly [string, Value])[],
  place: string,
): Readonly<Record<string, Value>> {
  const found = new Set<string>()
  for (const [name] of pairs) {
    if (found.has(name)) throw new MapTextError(`holds ${shownKey(name)} for ${place} twice`)
    found.add(name)
  }
  return Object.fromEntries(pairs)
}
