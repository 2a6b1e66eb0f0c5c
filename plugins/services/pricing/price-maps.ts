/**
 * The price options as maps the table is built from, and their rules (BILL-7, BILL-8): which options there are, and
 * what may stand in them. A `Refusal` names option and key.
 */
import { isObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Decimal, type DecimalFault, decimalLimits, readDecimal } from './decimal.js'
import { entriesMax, MapTextError, type NumberEntry, readGroups, readNumbers } from './map-text.js'
import { faultOfKey, normalKey, shownKey } from './model-key.js'

const textBytesMax = 2 * 1024 * 1024

/** Normal form of the name → value. */
export type PriceMap = ReadonlyMap<string, Decimal>

export interface PriceMaps {
  /** 1 = $2 per million input tokens. */
  readonly modelRatio: PriceMap
  /** USD per request; stands before a ratio of the same model. */
  readonly modelPrice: PriceMap
  /** Factors over the model's ratio. */
  readonly completionRatio: PriceMap
  readonly cacheRatio: PriceMap
  readonly createCacheRatio: PriceMap
  readonly imageRatio: PriceMap
  readonly audioRatio: PriceMap
  /** Audio output over audio input. */
  readonly audioCompletionRatio: PriceMap
  readonly groupRatio: PriceMap
  /** The caller's group → the answering group → ratio. */
  readonly groupGroupRatio: ReadonlyMap<string, PriceMap>
  /** Models that cost nothing, surcharges included. */
  readonly freeModels: ReadonlySet<string>
  /** USD per 1,000 calls by `tool`, `tool:model` or `tool:prefix*`. */
  readonly toolPrices: PriceMap
}

export type PriceField = keyof PriceMaps

/** By field: the option's key and how its text is read. */
export const priceOptions: {
  readonly [Field in PriceField]: {
    readonly option: string
    read(option: string, text: string): PriceMaps[Field]
  }
} = {
  modelRatio: { option: 'ModelRatio', read: priceMap },
  modelPrice: { option: 'ModelPrice', read: priceMap },
  completionRatio: { option: 'CompletionRatio', read: priceMap },
  cacheRatio: { option: 'CacheRatio', read: priceMap },
  createCacheRatio: { option: 'CreateCacheRatio', read: priceMap },
  imageRatio: { option: 'ImageRatio', read: priceMap },
  audioRatio: { option: 'AudioRatio', read: priceMap },
  audioCompletionRatio: { option: 'AudioCompletionRatio', read: priceMap },
  groupRatio: { option: 'GroupRatio', read: priceMap },
  groupGroupRatio: { option: 'GroupGroupRatio', read: groupMaps },
  freeModels: { option: 'FreeModels', read: modelNames },
  toolPrices: { option: 'tool_price_setting.prices', read: priceMap },
}

function priceMap(option: string, text: string): PriceMap {
  checkSize(option, text)
  const entries = shaped(option, () => readNumbers(text))
  checkCount(option, entries.length)
  return mapOf(option, entries)
}

function groupMaps(option: string, text: string): ReadonlyMap<string, PriceMap> {
  checkSize(option, text)
  const groups = shaped(option, () => readGroups(text))
  checkCount(
    option,
    groups.reduce((sum, { entries }) => sum + entries.length, 0),
  )
  const names = new NameRegister(option)
  return new Map(groups.map(({ key, entries }) => [names.take(key), mapOf(option, entries)]))
}

function modelNames(option: string, text: string): ReadonlySet<string> {
  checkSize(option, text)
  const list: unknown = parsed(option, text)
  if (!Array.isArray(list)) throw refusal(option, 'must be a JSON array of model names')
  checkCount(option, list.length)
  const names = new NameRegister(option)
  return new Set(
    list.map((name: unknown) => {
      if (typeof name === 'string') return names.take(name)
      const found = isObject(name) ? 'an object' : String(JSON.stringify(name)).slice(0, 20)
      throw refusal(option, `must hold model names, not ${found}`)
    }),
  )
}

function mapOf(option: string, entries: readonly NumberEntry[]): PriceMap {
  const names = new NameRegister(option)
  const map = new Map<string, Decimal>()
  for (const { key, number } of entries) {
    const name = names.take(key)
    const value = readDecimal(number)
    if (typeof value === 'string') throw refusal(option, faults[value](shownKey(key)))
    map.set(name, value)
  }
  return map
}

const faults: Readonly<Record<DecimalFault, (key: string) => string>> = {
  'not a number': (key) => `must hold a number for ${key}`,
  negative: (key) => `must not be negative for ${key}`,
  'not finite': (key) => `must hold a finite number for ${key}`,
  'too large': (key) =>
    `must have at most ${decimalLimits.integerDigitsMax} digits before the point for ${key}`,
  'too fine': (key) =>
    `must have at most ${decimalLimits.decimalsMax} digits after the point for ${key}`,
}

/** Names of one map; refuses those that cannot be distinguished. */
class NameRegister {
  private readonly given = new Map<string, string>()

  constructor(private readonly option: string) {}

  /** The normal form of a name not yet taken. */
  take(name: string): string {
    const fault = faultOfKey(name)
    if (fault !== undefined) throw refusal(this.option, `: the key ${shownKey(name)} ${fault}`)
    const normal = normalKey(name)
    const earlier = this.given.get(normal)
    if (earlier === undefined) {
      this.given.set(normal, name)
      return normal
    }
    if (earlier === name) throw refusal(this.option, `holds the key ${shownKey(name)} twice`)
    const pair = `${shownKey(earlier)} and ${shownKey(name)}`
    throw refusal(this.option, `: the keys ${pair} name the same`)
  }
}

function checkSize(option: string, text: string): void {
  if (text.length <= textBytesMax && Buffer.byteLength(text) <= textBytesMax) return
  throw refusal(option, `is larger than ${textBytesMax} bytes`)
}

function checkCount(option: string, count: number): void {
  if (count > entriesMax) throw refusal(option, `holds more than ${entriesMax} entries`)
}

function shaped<Shape>(option: string, read: () => Shape): Shape {
  try {
    return read()
  } catch (error) {
    if (error instanceof MapTextError) throw refusal(option, error.message)
    throw error
  }
}

function parsed(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal(option, 'is not valid JSON')
  }
}

function refusal(option: string, fault: string): Refusal {
  const reason = fault.startsWith(':') ? `${option}${fault}.` : `${option} ${fault}.`
  return new Refusal('invalid_field', { reason, param: option })
}
