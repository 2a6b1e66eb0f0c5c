/** Prices in the currency the operator shows, in the language of the person. */
import { useI18n } from 'vue-i18n'
import type { RateCard } from '../../api/prices.js'
import type { PricedModel } from '../../api/pricing.js'
import { locale } from '../../shell/i18n.js'
import { type Decimal, wholeNumber } from '../../ui/decimal.js'
import { useMoney } from '../../ui/money.js'
import { cardText } from '../../ui/rate-card/card-text.js'
import {
  callPrice,
  isFree,
  isPerCall,
  type Kind,
  priceText,
  product,
  tokenPrices,
} from './price.js'

/** Prices of a card in a line; the rest stands with the model. */
const rowsTold = 2

export function usePriceText() {
  const { t } = useI18n()
  const { currency, perUnit } = useMoney()
  const text = (usd: Decimal) =>
    priceText(usd, { currency: currency.value, perUnit: perUnit.value, locale: locale.value })

  const ofUnit = (usd: string, ratio: number) => text(product([usd, ratio]))

  return {
    /** Of a million tokens; empty: the model has no such figure. */
    ofTokens(model: PricedModel, kind: Kind, ratio: number): string {
      if (isPerCall(model) || model.rate_card !== undefined) return ''
      const usd = tokenPrices(model, ratio)[kind]
      return usd === undefined ? '' : text(usd)
    },
    /** Of a unit of a rate card. */
    ofUnit,
    /** A rate card in words; `rows` is how many of its prices are told. */
    ofCard: (card: RateCard, ratio: number, rows?: number) =>
      cardText(card, { price: (usd) => ofUnit(usd, ratio), ...(rows !== undefined && { rows }) }),
    ofCall: (model: PricedModel, ratio: number) => text(callPrice(model, ratio)),
    /** In a few words. */
    brief(model: PricedModel, ratio: number): string {
      if (isFree(model)) return t('catalogue.free')
      if (model.rate_card !== undefined) return this.ofCard(model.rate_card, ratio, rowsTold)
      if (isPerCall(model)) return t('catalogue.perCall', { price: text(callPrice(model, ratio)) })
      const nothing = wholeNumber(0n)
      const { input = nothing, output = nothing } = tokenPrices(model, ratio)
      return t('catalogue.perMillion', { input: text(input), output: text(output) })
    },
  }
}
