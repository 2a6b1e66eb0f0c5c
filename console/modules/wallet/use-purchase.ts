/** What is being bought, and what it costs at this moment. */
import { computed, reactive, watch } from 'vue'
import type { Gateway, Purchase, TopUpInfo } from '../../api/payments.js'
import { usePrice } from './use-price.js'

export function usePurchase(info: () => TopUpInfo) {
  const choice = reactive({
    ...{ gateway: '', method: '', product: '', amount: 0 },
    /** The payer agrees to be charged later. */
    keepsMandate: false,
  })
  const gateway = computed(
    () => info().gateways.find(({ name }) => name === choice.gateway) ?? info().gateways[0],
  )
  const products = computed(() => gateway.value?.products ?? [])
  const amountMin = computed(() => {
    const method = gateway.value?.methods.find(({ id }) => id === choice.method)
    return method?.amount_min ?? gateway.value?.amount_min ?? 1
  })

  watch(gateway, (now) => Object.assign(choice, usualOf(now, info())), { immediate: true })

  const purchase = computed<Purchase | undefined>(() => {
    if (gateway.value === undefined) return undefined
    const { name, methods } = gateway.value
    const method = methods.length > 0 ? { payment_method: choice.method } : {}
    if (products.value.length > 0) return { gateway: name, product: choice.product, ...method }
    const isPossible =
      Number.isInteger(choice.amount) &&
      choice.amount >= amountMin.value &&
      choice.amount <= info().amount_max
    return isPossible ? { gateway: name, amount: choice.amount, ...method } : undefined
  })
  const { price, isCurrent } = usePrice(purchase)
  return { choice, gateway, products, amountMin, purchase, price, isCurrent }
}

/** Nobody agrees to anything by choosing another gateway. */
function usualOf(gateway: Gateway | undefined, { amount_options }: TopUpInfo) {
  return {
    method: gateway?.methods[0]?.id ?? '',
    product: gateway?.products[0]?.id ?? '',
    amount: usualAmount(gateway?.amount_min ?? 1, amount_options),
    keepsMandate: false,
  }
}

/** In units of account. */
export function usualAmount(least: number, options: readonly number[]): number {
  return options.find((amount) => amount >= least) ?? Math.ceil(least)
}
