/**
 * Prices of a channel's own: the text that the form keeps, and the lines that show it. A line nobody touched is written as it
 * was, with all that is unknown here; what cannot be shown in lines stays text.
 */
import { type Figure, figures, type RateCard } from '../../../api/price-figures.js'
import { plainText } from '../../../ui/decimal.js'
import { twiceIn } from '../../../ui/duplicate-key.js'
import { isObject, parsedJson } from '../../../ui/json-text.js'
import { type Column, figureOf } from '../../../ui/price-entry/columns.js'
import { blankEntry, type Entry, inMode, type Mode, modeOf } from '../../../ui/price-entry/entry.js'
import { knownFigure, readFigure } from '../../../ui/price-entry/figure.js'
import { cellOf, columnsOf, type FigureFault, typedInto } from '../../../ui/price-entry/row-edit.js'

type Members = Readonly<Record<string, unknown>>

export interface CostLine {
  /** For the list alone. */
  readonly key: number
  readonly model: string
  readonly entry: Entry
  /** Texts that are no figures, as somebody left them. */
  readonly typed: Readonly<Partial<Record<Column, string>>>
  /** As it was written; what is changed here goes over it. */
  readonly source: Members
  readonly touched: boolean
}

/** In US dollars, as upstreams charge. */
export const dollars = { kind: 'price', rate: knownFigure('1') } as const

let keys = 0

export function newLine(): CostLine {
  keys += 1
  const entry = inMode(blankEntry, 'ratio')
  return { key: keys, model: '', entry, typed: {}, source: {}, touched: true }
}

export type TextFault = 'noObject' | { readonly twice: string }

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Numbers with more digits than a program's own are kept as texts: the gateway takes either. */
export function readPrices(text: string): Members | undefined {
  if (text.trim() === '') return {}
  const exact = text.replace(stringOrNumber, (part) =>
    part.startsWith('"') || String(Number(part)) === part ? part : `"${part}"`,
  )
  const isJson = parsedJson(text) !== undefined
  const value = isJson ? parsedJson(exact) : undefined
  return isObject(value) ? value : undefined
}

/** Of a model that is written twice a parser would keep one without an error. */
export function textFault(text: string): TextFault | undefined {
  if (readPrices(text) === undefined) return 'noObject'
  const twice = twiceIn(text)
  return twice === undefined ? undefined : { twice }
}

/** Undefined: it can be shown as text alone. */
export function linesOf(text: string): readonly CostLine[] | undefined {
  const document = textFault(text) === undefined ? readPrices(text) : undefined
  const entries = Object.entries(document ?? {})
  if (document === undefined || !entries.every(([, value]) => isShown(value))) return undefined
  return entries.map(([model, value]) => lineOf(model, value as Members))
}

const plain = ['string', 'number']

function isShown(value: unknown): boolean {
  if (!isObject(value)) return false
  const { free = false, rate_card: card = null } = value
  if (typeof free !== 'boolean' || !(card === null || isCard(card))) return false
  return figures.every((name) => isBlank(value[name]) || plain.includes(typeof value[name]))
}

function isCard(card: unknown): boolean {
  if (!isObject(card) || typeof card.unit !== 'string') return false
  const { rates, price } = card
  if (rates === undefined) return typeof price === 'string'
  const isRate = (rate: unknown) =>
    isObject(rate) && typeof rate.price === 'string' && isObject(rate.when)
  return Array.isArray(rates) && rates.length > 0 && rates.every(isRate)
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function lineOf(model: string, source: Members): CostLine {
  const typed: Partial<Record<Column, string>> = {}
  const written = figures.map((name) => {
    if (isBlank(source[name])) return [name, null]
    const text = String(source[name])
    const figure = readFigure(text)
    if (figure !== undefined) return [name, plainText(figure)]
    typed[columnOf(name)] = text
    return [name, '']
  })
  const card = (source.rate_card ?? null) as RateCard | null
  const entry = { free: source.free === true, figures: Object.fromEntries(written), card }
  keys += 1
  return { key: keys, model, entry, typed, source, touched: false }
}

function columnOf(figure: Figure): Column {
  const found = Object.entries(figureOf).find(([, name]) => name === figure)
  return found?.[0] as Column
}

/** Blank: there are none. */
export function textOf(lines: readonly CostLine[]): string {
  if (lines.length === 0) return ''
  const entries = lines.map((line) => [
    line.model.trim(),
    line.touched ? membersOf(line) : line.source,
  ])
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}

function membersOf({ entry, source }: CostLine): Members {
  const { free: _free, rate_card: _card, ...others } = source
  const rest = Object.entries(others).filter(([name]) => !figures.includes(name as Figure))
  const written = Object.entries(entry.figures).filter(([, text]) => !isBlank(text))
  return {
    ...Object.fromEntries(written),
    ...(entry.card !== null && { rate_card: entry.card }),
    ...(entry.free && { free: true }),
    ...Object.fromEntries(rest),
  }
}

export function withText(line: CostLine, column: Column, text: string): CostLine {
  const outcome = typedInto(line.entry, column, text, dollars)
  const { [column]: _before, ...others } = line.typed
  if (typeof outcome === 'string') return { ...line, typed: { ...others, [column]: text } }
  // What needed this price may be one now.
  return retried({ ...line, entry: outcome, typed: others, touched: true })
}

function retried(line: CostLine): CostLine {
  for (const [column, text] of Object.entries(line.typed) as [Column, string][]) {
    const outcome = typedInto(line.entry, column, text, dollars)
    if (typeof outcome !== 'string') return withText(line, column, text)
  }
  return line
}

export function withMode(line: CostLine, mode: Mode): CostLine {
  return { ...line, entry: inMode(line.entry, mode), typed: {}, touched: true }
}

/** A line without any price is one of tokens. */
export function modeOfLine({ entry }: CostLine): Mode {
  const mode = modeOf(entry)
  return mode === 'none' ? 'ratio' : mode
}

export function figureFault(line: CostLine, column: Column): FigureFault | undefined {
  const text = line.typed[column]
  if (text !== undefined) {
    const outcome = typedInto(line.entry, column, text, dollars)
    return typeof outcome === 'string' ? outcome : undefined
  }
  const isNeeded = column === 'input' || column === 'call'
  return isNeeded && cellOf(column, line.entry, dollars).text === '' ? 'needed' : undefined
}

export type NameFault = 'needed' | 'twice'

/** By key of the line: names that are missing, or stand twice. */
export function nameFaults(lines: readonly CostLine[]): ReadonlyMap<number, NameFault> {
  const seen = new Set<string>()
  const faults = new Map<number, NameFault>()
  for (const { key, model } of lines) {
    const name = model.trim()
    if (name === '') faults.set(key, 'needed')
    else if (seen.has(name)) faults.set(key, 'twice')
    seen.add(name)
  }
  return faults
}

export function isWhole(line: CostLine): boolean {
  return columnsOf(line.entry).every((column) => figureFault(line, column) === undefined)
}

/** The line that a refusal of the gateway names. */
export function lineNamedIn(fault: string, lines: readonly CostLine[]): number | undefined {
  const named = lines.filter(({ model }) => fault.includes(JSON.stringify(model.trim())))
  const longest = named.sort((one, other) => other.model.length - one.model.length)
  return longest[0]?.key
}
