/** What a media task would cost by a rate card, as an editor shows it: each step as exact decimal text. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { CardExample } from '../../services/pricing/index.js'

export interface ExampleRow {
  readonly priced: boolean
  /** Null: every dimension has a row of the card. */
  readonly unpriced: { readonly dimension: string; readonly message: string } | null
  /** Null: nothing was made, or there is no price of it. */
  readonly steps: ExampleSteps | null
  /** Exact, before it is rounded. */
  readonly sum: string
  readonly quota: number
  readonly hold: number
}

export interface ExampleSteps {
  readonly quantity: string
  readonly minimum: string | null
  readonly after_minimum: string
  readonly step: string | null
  readonly units: string
  /** The row of the card, from 1. */
  readonly rate: number
  readonly price: string
  readonly group_ratio: string
}

export function exampleRow(example: CardExample): ExampleRow {
  if (!example.priced) {
    const { dimension, message } = example
    return {
      priced: false,
      unpriced: { dimension, message },
      steps: null,
      sum: '0',
      quota: 0,
      hold: 0,
    }
  }
  const { snapshot, cost, hold } = example
  return {
    priced: true,
    unpriced: null,
    steps: stepsOf(snapshot),
    sum: String(snapshot.sum),
    quota: Number(cost),
    hold: Number(hold),
  }
}

function stepsOf({ rate_card, group_ratio }: JsonObject): ExampleSteps | null {
  if (rate_card === undefined) return null
  const card = rate_card as JsonObject
  return {
    quantity: String(card.quantity),
    minimum: card.minimum === undefined ? null : String(card.minimum),
    after_minimum: String(card.after_minimum),
    step: card.step === undefined ? null : String(card.step),
    units: String(card.units),
    rate: Number(card.rate),
    price: String(card.price),
    group_ratio: String(group_ratio),
  }
}
