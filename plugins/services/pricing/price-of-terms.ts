/** A price made again from what is kept with a media task: its end is charged at the price it was admitted with. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Price } from '../../../kernel/contract/line/money.js'
import { decimal, zero } from './decimal.js'
import { priceOf } from './price.js'
import { priceOptions } from './price-maps.js'
import { rateCards } from './rate-cards/read-cards.js'
import type { Rate } from './terms.js'

/** A ratio is no price of a task (BILL-6). Throws a RangeError on what `Price.terms` did not return. */
export function priceOfTerms(terms: JsonObject): Price {
  const { price_model: model, price_table: table, price_group: group, group_ratio: ratio } = terms
  return priceOf({
    model: String(model),
    rate: rateIn(terms, String(model)),
    group: String(group),
    groupRatio: decimal(String(ratio)),
    ...(terms.user_group !== undefined && { userGroup: String(terms.user_group) }),
    toolPrice: () => zero,
    toolsFree: true,
    table: String(table),
  })
}

function rateIn({ billing_mode: mode, model_price, rate_card }: JsonObject, model: string): Rate {
  if (mode === 'free') return { mode }
  if (mode === 'price') return { mode, modelPrice: decimal(String(model_price)) }
  if (mode !== 'card') throw new RangeError('a media task has no such price')
  const [card] = rateCards(
    priceOptions.taskRateCards.option,
    JSON.stringify({ [model]: rate_card }),
  ).values()
  return { mode, card: card! }
}
