/** What a purchase costs at this moment, requested once it was left alone for a little while. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, type Ref, shallowRef, watch } from 'vue'
import { type Purchase, readPrice } from '../../api/payments.js'

/** Milliseconds without typing before a price is requested. */
const restMs = 300

export function usePrice(purchase: Ref<Purchase | undefined>) {
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
    () =>
      isSame(settled.value, purchase.value) && !price.isPlaceholderData.value && !price.error.value,
  )
  return { price, isCurrent }
}

function isSame(one: Purchase | undefined, other: Purchase | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
