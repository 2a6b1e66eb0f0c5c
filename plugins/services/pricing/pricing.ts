/** What others see of pricing: the table in force now. A running request keeps the one it was admitted with. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { CostTerms, Price, PriceTable } from '../../../kernel/contract/line/money.js'

export interface Pricing {
  current(): PriceBook
  /** True when the model has a price of its own, or is an explicit free model. */
  priced(model: string): boolean
  /** Groups that have a ratio. */
  groups(): readonly string[]
  /** The factor this group's prices have for callers of a group; 1 for a group that has none, which nobody can use. */
  ratio(group: string, userGroup: string): number
  /**
   * Changes figures of some models in the price options, all or nothing, by what is stored at that moment: two who
   * change different models at once lose nothing. Answers each model as it was and as it is. Throws a `Refusal` that
   * names the option or model at fault (BILL-7, BILL-8). `check` sees the same before anything is saved, while nobody
   * else can change it, and keeps it from being saved by throwing.
   */
  change(
    changes: PriceChanges,
    check?: (found: readonly PriceChange[]) => void,
  ): Promise<readonly PriceChange[]>
  /** What `change` would answer, with nothing saved. */
  preview(changes: PriceChanges): readonly PriceChange[]
  /** The price that `Price.terms` describes: of a media task, which ends long after it was admitted. Throws on what is none. */
  ofTerms(terms: JsonObject): Price
  /** The cost terms of a channel as they are stored; null: there are none. Throws a `Refusal` that names what is wrong. */
  costTerms(value: Json): CostTerms | null
  /** What a usage would cost by a card, with nothing saved. Throws a `Refusal` that names what is wrong with the card. */
  example(trial: CardTrial): CardExample
}

/** One version of all prices, and what its maps hold for each model. */
export interface PriceBook extends PriceTable {
  priced(model: string): boolean
  /** Undefined: no map knows the model. */
  quote(model: string): Quote | undefined
  /** Every model some map knows, in order of name. */
  models(): readonly string[]
}

export interface Quote {
  readonly model: string
  /** What counts of what is written; `none`: some figures are, but neither price, card nor ratio. */
  readonly mode: 'price' | 'card' | 'ratio' | 'free' | 'none'
  readonly figures: Figures
  readonly card?: WrittenCard
  /** USD, what a task of one unit costs at the least by the card: one figure, for programs that know no cards. */
  readonly cardLeast?: number
}

/** A rate card as the operator wrote it: decimals are texts, and hold every digit. Either `price` or `rates` is there. */
export interface WrittenCard {
  /** What is counted: `second`, `piece`, `task`, … */
  readonly unit: string
  /** USD per unit. */
  readonly price?: string
  /** Rows of a table; the first that fits is the price. */
  readonly rates?: readonly WrittenRate[]
  /** Least units billed. */
  readonly minimum?: string
  /** Units are rounded up to a multiple of it. */
  readonly step?: string
}

export interface WrittenRate {
  /** Value by dimension; `*` is any. */
  readonly when: Readonly<Record<string, string>>
  readonly price: string
}

/** A usage tried on a card that need not be stored. */
export interface CardTrial {
  /** As refusals name it. */
  readonly model: string
  readonly card: WrittenCard
  readonly usage: Usage
  /** The group whose ratio counts. */
  readonly group: string
}

export type CardExample =
  | {
      readonly priced: true
      /** As it would stand with the charge: every step of it. */
      readonly snapshot: JsonObject
      /** Quota. */
      readonly cost: bigint
      readonly hold: bigint
    }
  /** The usage is one the card has no price of: what a client would be told. */
  | { readonly priced: false; readonly dimension: string; readonly message: string }

/** As written; a figure that is absent is not written. */
export type Figures = Readonly<Partial<Record<PriceFigure, number>>>

export type PriceFigure =
  | 'model_price'
  | 'model_ratio'
  | 'completion_ratio'
  | 'cache_ratio'
  | 'create_cache_ratio'
  | 'image_ratio'
  | 'audio_ratio'
  | 'audio_completion_ratio'

/** By model; null takes all that is written of it away. */
export type PriceChanges = Readonly<Record<string, ModelChange | null>>

/** What is left out stays, null takes away. */
export type ModelChange = Readonly<Partial<Record<PriceFigure, number | null>>> & {
  /** Whether it stands among the free models. */
  readonly free?: boolean
  readonly rate_card?: WrittenCard | null
}

export interface PriceChange {
  readonly model: string
  /** Absent: no map knew, or knows, the model. */
  readonly before?: Quote
  readonly after?: Quote
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    pricing: Pricing
  }
}
