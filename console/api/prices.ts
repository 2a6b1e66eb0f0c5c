/** Figures of prices by model: pages of them, what is missing, and changes that are all saved or none (BILL-7). */
import type { Page, PageQuery } from './page.js'
import type { ModelChange, PriceRow, RateCard } from './price-figures.js'
import { request } from './request.js'
import type { components } from './schema.js'

export * from './price-figures.js'

type Schemas = components['schemas']

/** By model; null takes all that is written of it away. */
export type PriceChanges = Readonly<Record<string, ModelChange | null>>

export type ChangeRow = Schemas['PriceChange']

export interface PriceFilters {
  readonly keyword: string
}

export function readPrices(
  query: PageQuery & PriceFilters,
  signal: AbortSignal,
): Promise<Page<PriceRow>> {
  return request('GET', '/api/prices/', { query, signal })
}

/** Names that enabled channels serve and that nobody can call for want of a price. */
export function readMissingPrices(): Promise<readonly string[]> {
  return request('GET', '/api/prices/missing')
}

/** `seen` stands for the prices as they were when these rows were made. */
export type Comparison = Schemas['PriceChanges']

/** What would change, with nothing saved. */
export function previewPrices(changes: PriceChanges): Promise<Comparison> {
  return request('PUT', '/api/prices/', { query: { dry_run: true }, body: { changes } })
}

/** Refused at the field `seen` where somebody else changed one of these prices since. */
export async function savePrices(changes: PriceChanges, seen: string): Promise<void> {
  await request('PUT', '/api/prices/', { body: { changes, seen } })
}

export type CardExample = Schemas['CardExample']

/** A task to try on a card that need not be saved. */
export interface ExampleAsk {
  readonly model: string
  readonly card: RateCard
  readonly group: string
  readonly quantity: number
  readonly dimensions: Readonly<Record<string, string>>
}

export function tryCard(ask: ExampleAsk): Promise<CardExample> {
  return request('POST', '/api/prices/example', { body: ask })
}

/** Units and dimensions by the task types that serve the model, with words for them. */
export type UnitsFound = Schemas['UnitsFound']

export function readUnits(model: string): Promise<UnitsFound> {
  return request('GET', '/api/prices/units', { query: { model } })
}

/** What is written of these models now, by name; null: nothing. */
export async function readPricesOf(
  models: readonly string[],
): Promise<ReadonlyMap<string, PriceRow | null>> {
  const unchanged = Object.fromEntries(models.map((model) => [model, {}]))
  const { rows } = await previewPrices(unchanged)
  return new Map(rows.map(({ model, before }) => [model, before]))
}

/** Ratios of the models this gateway knew when it was made; fixed prices and free models stay. */
export async function resetRatios(): Promise<void> {
  await request('POST', '/api/option/rest_model_ratio', { body: {} })
}

/** The options prices are kept in, as text, so that numbers keep every digit. */
export async function readPriceTexts(): Promise<ReadonlyMap<string, string>> {
  const options = await request<readonly Schemas['OptionValue'][]>('GET', '/api/option/')
  return new Map(options.map(({ key, value }) => [key, value]))
}
