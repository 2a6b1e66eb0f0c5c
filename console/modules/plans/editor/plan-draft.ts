/** A plan as users would see it, made of what is typed. What sells it the gateway states once it is saved; until then it is inferred. */
import type { Gateway } from '../../../api/payments.js'
import type { PlanOffer, ShownPlan } from '../../../api/subscriptions.js'
import { allPrices, derivedPrice, type PlanValues } from './plan-values.js'

/** What can be paid with now, as far as it matters to plans. */
export type Seller = Pick<Gateway, 'name' | 'title' | 'currency' | 'products' | 'test'>

export interface DraftOptions {
  readonly perUnit: number
  readonly sellers: readonly Seller[]
}

export function draftOf(values: PlanValues, { perUnit, sellers }: DraftOptions): ShownPlan {
  const { balance_own, bounded, prices, ...rest } = values
  const balancePrice = balance_own ? values.balance_price : derivedPrice(values, perUnit)
  const shown = prices.filter(({ currency, amount }) => currency !== '' && isAmount(amount))
  return {
    ...rest,
    price_amount: amountText(rest.price_amount, rest.currency),
    duration_value: rest.duration_value || 1,
    prices: Object.fromEntries(
      shown.map(({ currency, amount }) => [currency, amountText(amount, currency)]),
    ),
    total_amount: bounded ? rest.total_amount : 0,
    allow_balance_pay: rest.allow_balance_pay && balancePrice !== undefined,
    balance_price: balancePrice ?? 0,
    offers: offersOf(values, sellers),
  }
}

export function isAmount(typed: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(typed.trim())
}

/** With every digit of its currency, as the gateway will write it. Half a number is no amount yet. */
function amountText(typed: string, currency: string): string {
  const [whole, fraction = ''] = (isAmount(typed) ? typed.trim() : '0').split('.')
  const shown = fraction.padEnd(digitsOf(currency), '0')
  return shown === '' ? `${whole}` : `${whole}.${shown}`
}

function digitsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    ...({ style: 'currency', currency } as const),
  }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

function offersOf(values: PlanValues, sellers: readonly Seller[]): readonly PlanOffer[] {
  const products: Readonly<Record<string, string>> = {
    stripe: values.stripe_price_id,
    creem: values.creem_product_id,
  }
  const prices = allPrices(values).filter(({ amount }) => isAmount(amount))
  return sellers.flatMap(({ name, title, currency, products: sold, test }) => {
    const hasProduct = (products[name] ?? '').trim() !== ''
    if (sold.length > 0 && !hasProduct) return []
    const own = prices.find((price) => price.currency === currency)
    const { amount, currency: paid } = own ?? (hasProduct ? prices[0] : undefined) ?? nothing
    if (!(Number(amount) > 0)) return []
    return [{ gateway: name, title, currency: paid, price: amount.trim(), recurring: false, test }]
  })
}

const nothing = { amount: '0', currency: '' }
