/** Tries a usage on a card that need not be stored: what an editor shows while the card is being written. */
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { zero } from '../decimal.js'
import type { CardExample, CardTrial } from '../pricing.js'
import type { Table } from '../table.js'
import { cardPriceOf } from './card-price.js'
import { rateCards } from './read-cards.js'

/** Throws a `Refusal` that names the option and the place in the card, or the group. */
export function tryCard(table: Table, option: string, trial: CardTrial): CardExample {
  const { model, card: written, usage, group } = trial
  const [card] = rateCards(option, JSON.stringify({ [model]: written })).values()
  const groupRatio = table.ratio(group, group)
  if (groupRatio === undefined) {
    throw new Refusal('invalid_field', { reason: 'group has no ratio.', param: 'group' })
  }
  const price = cardPriceOf({
    model,
    rate: { mode: 'card', card: card! },
    group,
    groupRatio,
    toolPrice: () => zero,
    toolsFree: true,
    table: table.version,
  })
  try {
    const [cost, hold] = [price.cost(usage), price.hold(usage)]
    return { priced: true, snapshot: price.explain(usage), cost, hold }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'model_price_error') throw error
    return { priced: false, dimension: error.param, message: error.message }
  }
}
