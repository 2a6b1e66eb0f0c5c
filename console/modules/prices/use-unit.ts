/** In which unit the list is edited, and how a price is written in the currency people see. */
import { computed, ref } from 'vue'
import { locale } from '../../shell/i18n.js'
import { recall, remember } from '../../shell/remembered.js'
import { useMoney } from '../../ui/money.js'
import { knownFigure } from '../../ui/price-entry/figure.js'
import type { Unit } from '../../ui/price-entry/row-edit.js'

const kind = ref<Unit['kind']>(recall('price-unit') === 'ratio' ? 'ratio' : 'price')

export function useUnit() {
  const { currency } = useMoney()
  /** Where amounts are shown as units, prices are in US dollars: that is what is stored. */
  const shown = computed(() =>
    currency.value.inUnits || !(currency.value.rate > 0)
      ? { symbol: '$', rate: 1 }
      : currency.value,
  )
  const unit = computed<Unit>(() => ({ kind: kind.value, rate: knownFigure(shown.value.rate) }))
  const symbol = computed(() => shown.value.symbol)

  return {
    unit,
    symbol,
    choose(next: Unit['kind']) {
      kind.value = next
      remember('price-unit', next)
    },
    /** Every digit there is. */
    priceText: (price: string) => `${symbol.value}${grouped(price)}`,
  }
}

function grouped(price: string): string {
  const [whole = '0', fraction] = price.split('.')
  const text = BigInt(whole).toLocaleString(locale.value)
  return fraction === undefined ? text : `${text}.${fraction}`
}
