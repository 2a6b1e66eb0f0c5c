/**
 * The cost terms of a channel, read: a factor, and prices of its own as entries of the price list. They are put into the very
 * maps of the price options, so that their rules and readers hold for both. A `Refusal` names the field and the model.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { CostTerms } from '../../../kernel/contract/line/money.js'
import { type Decimal, readDecimal } from './decimal.js'
import { checkCount, checkSize, decimalIn, NameRegister, refusal } from './map-rules.js'
import { shownKey } from './model-key.js'
import { figureFields, figureNames, type ModelMaps } from './quote.js'
import { rateCards } from './rate-cards/read-cards.js'
import { listRate } from './rates.js'

export interface ReadTerms {
  readonly factor?: Decimal
  readonly maps?: ModelMaps
}

const field = 'cost_terms'
const fieldsOfEntry: ReadonlySet<string> = new Set([...figureNames, 'rate_card', 'free'])

const read = new WeakMap<CostTerms, ReadTerms>()

/** Terms that cannot be read, as of a row from elsewhere, are none. */
export function readCostTerms(terms: CostTerms): ReadTerms {
  const known = read.get(terms)
  if (known !== undefined) return known
  const made = readOrNone(terms)
  read.set(terms, made)
  return made
}

function readOrNone(terms: CostTerms): ReadTerms {
  try {
    return termsOf(terms as JsonObject)
  } catch {
    return {}
  }
}

/** As they are stored: decimals become texts. Null: there are none. */
export function checkedCostTerms(value: Json): CostTerms | null {
  if (value === null || value === '') return null
  if (!isObject(value)) throw refusal(field, 'must be an object, or null where costs are not known')
  const { factor, models, ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) throw refusal(field, `must not hold ${shownKey(other)}`)
  const terms = {
    ...(isGiven(factor) && { factor: String(factor).trim() }),
    ...(isGiven(models) && { models: textsOf(models) }),
  }
  if (Object.keys(terms.models ?? {}).length === 0) delete terms.models
  termsOf(terms)
  return Object.keys(terms).length === 0 ? null : terms
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== ''
}

function textsOf(models: Json): Record<string, JsonObject> {
  if (!isObject(models)) throw refusal(field, 'must hold an object for models')
  const entries = Object.entries(models).map(([name, entry]) => {
    if (isObject(entry)) return [name, entryTexts(entry)] as const
    throw refusal(field, `must hold an object for ${shownKey(name)}`)
  })
  return Object.fromEntries(entries)
}

function entryTexts(entry: JsonObject): JsonObject {
  const given = Object.entries(entry).filter(([, value]) => isGiven(value) && value !== false)
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  ) as JsonObject
}

function termsOf({ factor, models }: JsonObject): ReadTerms {
  return {
    ...(factor !== undefined && { factor: factorOf(factor) }),
    ...(models !== undefined && { maps: mapsOf(models as Record<string, JsonObject>) }),
  }
}

function factorOf(factor: Json): Decimal {
  const value = readDecimal(String(factor))
  if (typeof value !== 'string') return value
  throw refusal(field, `: the factor is ${value === 'negative' ? 'below 0' : value}`)
}

function mapsOf(models: Readonly<Record<string, JsonObject>>): ModelMaps {
  checkSize(field, JSON.stringify(models))
  checkCount(field, Object.keys(models).length)
  const names = new NameRegister(field)
  const entries = Object.entries(models).map(([name, entry]) => [names.take(name), entry] as const)
  for (const [name, entry] of entries) checkEntry(name, entry)
  const figures = figureNames.map((figure) => {
    const written = entries.filter(([, entry]) => entry[figure] !== undefined)
    return [
      figureFields[figure],
      new Map(written.map(([name, entry]) => [name, figureOf(figure, name, entry)])),
    ]
  })
  const cards = entries.flatMap(([name, { rate_card }]) =>
    rate_card === undefined ? [] : [[name, rate_card]],
  )
  const maps = {
    ...Object.fromEntries(figures),
    taskRateCards: rateCards(field, JSON.stringify(Object.fromEntries(cards))),
    freeModels: new Set(entries.flatMap(([name, { free }]) => (free === true ? [name] : []))),
  } as ModelMaps
  for (const [name] of entries) {
    if (listRate(maps, name) === undefined)
      throw refusal(field, `must hold a price for ${shownKey(name)}`)
  }
  return maps
}

function checkEntry(name: string, entry: JsonObject): void {
  const other = Object.keys(entry).find((key) => !fieldsOfEntry.has(key))
  if (other !== undefined)
    throw refusal(field, `must not hold ${shownKey(other)} for ${shownKey(name)}`)
}

function figureOf(figure: string, name: string, entry: JsonObject): Decimal {
  return decimalIn(field, String(entry[figure]), `${figure} of ${shownKey(name)}`)
}
