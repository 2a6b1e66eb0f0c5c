/** How a plan is to be paid, what it replaces, and what it costs at this moment. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, reactive, watch } from 'vue'
import type { TopUpInfo } from '../../api/payments.js'
import { type OfferedPlan, type QuoteRequest, readQuote } from '../../api/subscriptions.js'
import { readDecimal } from '../../ui/decimal.js'

/** What is left of a subscription is worth less as time passes. */
const requoteMs = 20_000

export function usePlanPurchase(plan: OfferedPlan, info: () => TopUpInfo | undefined) {
  const choice = reactive({
    /** Empty: from the balance. */
    gateway: plan.allow_balance_pay ? '' : (plan.offers[0]?.gateway ?? ''),
    method: '',
    /** The provider collects every duration that follows. */
    repeats: false,
    /** The balance pays for every duration that follows. */
    renews: false,
    /** 0: it runs beside what there is. */
    replaces: 0,
  })
  const offer = computed(() => plan.offers.find(({ gateway }) => gateway === choice.gateway))
  const methods = computed(
    () => info()?.gateways.find(({ name }) => name === offer.value?.gateway)?.methods ?? [],
  )
  watch(
    methods,
    ([first]) => {
      choice.method = first?.id ?? ''
    },
    { immediate: true },
  )

  const wanted = computed<QuoteRequest>(() => ({
    plan_id: plan.id,
    ...(choice.replaces > 0 && { replaces: choice.replaces }),
    ...(offer.value && { currency: offer.value.currency }),
  }))
  const query = useQuery({
    queryKey: ['plan quotes', wanted],
    queryFn: ({ signal }) => readQuote(wanted.value, signal),
    placeholderData: keepPreviousData,
    refetchInterval: () => (choice.replaces > 0 ? requoteMs : false),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  /** Undefined: what was read last is of another choice, or was refused. */
  const quote = computed(() =>
    query.isPlaceholderData.value || query.error.value ? undefined : query.data.value,
  )
  const costsNothing = computed(() => isZero(quote.value?.price))
  /** What is taken off cannot be taken off again and again. */
  const canRepeat = computed(
    () => offer.value?.recurring === true && isZero(quote.value?.value_left ?? '0'),
  )
  watch(canRepeat, (can) => {
    if (!can) choice.repeats = false
  })

  return { choice, offer, methods, query, quote, costsNothing, canRepeat }
}

function isZero(amount: string | undefined): boolean {
  return readDecimal(amount)?.units === 0n
}
