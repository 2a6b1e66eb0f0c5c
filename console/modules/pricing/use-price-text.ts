/** Prices in the currency the operator shows, in the language of the person. */
import { useI18n } from 'vue-i18n'
import type { PricedModel } from '../../api/pricing.js'
import { locale } from '../../shell/i18n.js'
import { useMoney } from '../../ui/money.js'
import { callPrice, isFree, isPerCall, type Kind, priceText, tokenPrices } from './price.js'

export function usePriceText() {
  const { t } = useI18n()
  const { currency, perUnit } = useMoney()
  const text = (usd: number) =>
    priceText(usd, { currency: currency.value, perUnit: perUnit.value, locale: locale.value })

  return {
    /** Of a million tokens; empty: the model has no such figure. */
    ofTokens(model: PricedModel, kind: Kind, ratio: number): string {
      if (isPerCall(model)) return ''
      const usd = tokenPrices(model, ratio)[kind]
      return usd === undefined ? '' : text(usd)
    },
    ofCall: (model: PricedModel, ratio: number) => text(callPrice(model, ratio)),
    /** In a few words. */
    brief(model: PricedModel, ratio: number): string {
      if (isFree(model)) return t('pricing.free')
      if (isPerCall(model)) return t('pricing.perCall', { price: text(callPrice(model, ratio)) })
      const { input = 0, output = 0 } = tokenPrices(model, ratio)
      return t('pricing.perMillion', { input: text(input), output: text(output) })
    },
  }
}
