/**
 * The price options as maps the table is built from, and their rules (BILL-7, BILL-8): which options there are, and
 * what may stand in them. A `Refusal` names option and key.
 */
import { isObject } from '../../../kernel/contract/json.js'
import type { Decimal } from './decimal.js'
import {
  checkCount,
  checkSize,
  decimalIn,
  NameRegister,
  parsed,
  refusal,
  shaped,
} from './map-rules.js'
import { type NumberEntry, readGroups, readNumbers } from './map-text.js'
import { shownKey } from './model-key.js'
import type { RateCard } from './rate-cards/rate-card.js'
import { rateCards } from './rate-cards/read-cards.js'

/** Normal form of the name → value. */
export type PriceMap = ReadonlyMap<string, Decimal>

export interface PriceMaps {
  /** 1 = $2 per million input tokens. */
  readonly modelRatio: PriceMap
  /** USD per request; stands before a card and a ratio of the same model. */
  readonly modelPrice: PriceMap
  /** What media tasks cost by what they are made of; stand before a ratio of the same model. */
  readonly taskRateCards: ReadonlyMap<string, RateCard>
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
  taskRateCards: { option: 'TaskRateCards', read: rateCards },
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
    map.set(name, decimalIn(option, number, shownKey(key)))
  }
  return map
}
