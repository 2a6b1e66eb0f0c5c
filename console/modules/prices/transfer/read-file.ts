/**
 * Reads a file of prices: the maps of the family by their option's name or by the figure's, alone or within `data` as
 * other gateways answer them. What the gateway would refuse (BILL-7, BILL-8) is refused here, with its place.
 */
import { type Figure, figures, type RateCard } from '../../../api/prices.js'
import { twiceIn } from '../../../ui/duplicate-key.js'
import { isObject, parsedJson } from '../../../ui/json-text.js'
import { isExactNumber, plainNumber, readFigure } from '../../../ui/price-entry/figure.js'
import {
  cardOption,
  cardsIn,
  freeOption,
  normalName,
  optionOf,
  type PriceMaps,
} from './price-maps.js'

export const fileBytesMax = 2 * 1024 * 1024
const entriesMax = 20_000
const nameLengthMax = 256
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u

/** Key of a text, with what stands in its blanks. */
export class FileFault extends Error {
  constructor(
    readonly key: string,
    readonly blanks: Readonly<Record<string, unknown>> = {},
  ) {
    super(key)
  }
}

type Json = Readonly<Record<string, unknown>>

/** Throws a `FileFault`. */
export function readPriceFile(text: string): PriceMaps {
  if (new TextEncoder().encode(text).length > fileBytesMax) throw new FileFault('tooLarge')
  const whole = parsed(text)
  const twice = twiceIn(text)
  if (twice !== undefined) throw new FileFault('twice', { name: twice })
  const document = isObject(whole.data) ? whole.data : whole
  const maps = figures.flatMap((figure) => {
    const map = document[optionOf[figure]] ?? document[figure]
    return map === undefined ? [] : [[figure, figureMap(figure, map)] as const]
  })
  const free = document[freeOption] ?? document.free_models
  const cards = document[cardOption]
  if (maps.length === 0 && free === undefined && cards === undefined) throw new FileFault('nothing')
  return {
    figures: Object.fromEntries(maps),
    ...(cards !== undefined && { cards: cardMap(cards) }),
    ...(free !== undefined && { free: freeNames(free) }),
  }
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw new FileFault('noJson', { reason: error instanceof Error ? error.message : '' })
  }
  throw new FileFault('noObject')
}

function figureMap(figure: Figure, value: unknown): ReadonlyMap<string, string> {
  const map = optionOf[figure]
  // Options may come as the text they are stored as.
  const content = typeof value === 'string' ? parsed(value) : value
  if (!isObject(content)) throw new FileFault('noMap', { map })
  const entries = Object.entries(content)
  if (entries.length > entriesMax) throw new FileFault('tooMany', { map, max: entriesMax })
  const read = new Map<string, string>()
  for (const [name, figureValue] of entries) {
    const model = nameIn(map, name)
    if (read.has(model)) throw new FileFault('twice', { name: model })
    read.set(model, figureText(map, model, figureValue))
  }
  return read
}

function figureText(map: string, model: string, value: unknown): string {
  const read = typeof value === 'number' ? readFigure(plainNumber(value)) : undefined
  if (read === undefined || !isExactNumber(read)) throw new FileFault('noFigure', { map, model })
  return plainNumber(value as number)
}

/** What stands in a card is for the gateway to refuse, which it does before anything is saved. */
function cardMap(value: unknown): ReadonlyMap<string, RateCard> {
  const content = typeof value === 'string' ? parsed(value) : value
  if (!isObject(content)) throw new FileFault('noMap', { map: cardOption })
  const read = new Map<string, RateCard>()
  for (const [name, card] of cardsIn(content)) {
    const model = nameIn(cardOption, name)
    if (read.has(model)) throw new FileFault('twice', { name: model })
    if (!isCard(card)) throw new FileFault('noCard', { map: cardOption, model })
    read.set(model, card)
  }
  if (read.size > entriesMax) throw new FileFault('tooMany', { map: cardOption, max: entriesMax })
  return read
}

/** As much of a card as showing it takes. */
function isCard(card: unknown): card is RateCard {
  if (!isObject(card) || typeof card.unit !== 'string') return false
  const { price, rates } = card
  if (price !== undefined) return typeof price === 'string' && rates === undefined
  return Array.isArray(rates) && rates.length > 0 && rates.every(isRate)
}

function isRate(rate: unknown): boolean {
  if (!isObject(rate) || typeof rate.price !== 'string') return false
  const { when = {} } = rate
  return isObject(when) && Object.values(when).every((value) => typeof value === 'string')
}

function freeNames(value: unknown): ReadonlySet<string> {
  const list: unknown = typeof value === 'string' ? parsedJson(value) : value
  if (!Array.isArray(list) || list.some((name) => typeof name !== 'string')) {
    throw new FileFault('noList', { map: freeOption })
  }
  if (list.length > entriesMax) throw new FileFault('tooMany', { map: freeOption, max: entriesMax })
  return new Set(list.map((name: string) => nameIn(freeOption, name)))
}

function nameIn(map: string, name: string): string {
  const model = normalName(name)
  const fits = model !== '' && [...name].length <= nameLengthMax && !invisible.test(name)
  if (!fits) throw new FileFault('badName', { map, name: name.slice(0, 60) })
  return model
}
