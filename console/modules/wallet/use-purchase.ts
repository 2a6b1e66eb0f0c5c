/** What is being bought, and what it costs at this moment. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, reactive, shallowRef, watch } from 'vue'
import { type Gateway, type Purchase, readPrice, type TopUpInfo } from '../../api/payments.js'

/** Milliseconds without typing before a price is requested. */
const restMs = 300

export function usePurchase(info: () => TopUpInfo) {
  const choice = reactive({ gateway: '', method: '', product: '', amount: 0 })
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

  const settled = shallowRef<Purchase>()
  watch(
    purchase,
    (now, _before, onCleanup) => {
      const timer = setTimeout(() => {
        settled.value = now
      }, restMs)
      onCleanup(() => clearTimeout(timer))
    },
    { immediate: true },
  )
  const price = useQuery({
    queryKey: ['payments', 'price', settled],
    queryFn: ({ signal }) => readPrice(settled.value!, signal),
    enabled: computed(() => settled.value !== undefined),
    placeholderData: keepPreviousData,
    retry: false,
  })
  /** The price shown belongs to what is chosen now. */
  const isCurrent = computed(
    () => settled.value === purchase.value && !price.isPlaceholderData.value && !price.error.value,
  )
  return { choice, gateway, products, amountMin, purchase, price, isCurrent }
}

function usualOf(gateway: Gateway | undefined, { amount_options }: TopUpInfo) {
  const least = gateway?.amount_min ?? 1
  return {
    method: gateway?.methods[0]?.id ?? '',
    product: gateway?.products[0]?.id ?? '',
    amount: amount_options.find((amount) => amount >= least) ?? Math.ceil(least),
  }
}
