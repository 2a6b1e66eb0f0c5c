/** The days a page shows, as its address has them: the last so many, or any two. */
import { computed } from 'vue'
import type { Days } from '../api/analytics.js'
import { countOf, isDay, lastDays } from './days.js'

const daysMax = 366

/** `from` and `to` go before `days`, where both are days. */
interface DayFilters {
  days: number
  from: string
  to: string
}

export function useShownDays(filters: DayFilters) {
  const days = computed<Days>(() => {
    const { from, to } = filters
    if (isDay(from) && isDay(to)) return { from, to }
    return lastDays(Math.min(Math.max(filters.days, 1), daysMax))
  })
  return {
    days,
    /** How many, where they end today; 0: they end on another day. */
    usual: computed(() => {
      const count = countOf(days.value)
      return lastDays(count).to === days.value.to ? count : 0
    }),
    showLast: (count: number) => Object.assign(filters, { days: count, from: '', to: '' }),
    showBetween: (between: Days) => Object.assign(filters, between),
  }
}
