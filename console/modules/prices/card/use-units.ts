/** What a card may count and depend on: suggestions of the task types that serve the model; any other name may be typed. */
import { useQuery } from '@tanstack/vue-query'
import { computed, watch } from 'vue'
import { readUnits } from '../../../api/prices.js'
import { learnTexts } from '../../../ui/shipped-texts.js'

/** Where no task type is known to serve the model. */
const usual = {
  units: ['second', 'piece', 'task', 'minute'],
  dimensions: ['resolution', 'audio', 'mode', 'size', 'quality'],
} as const

export function useUnits(model: string) {
  const query = useQuery({ queryKey: ['prices', 'units', model], queryFn: () => readUnits(model) })
  const types = computed(() => query.data.value?.task_types ?? [])
  const isKnown = computed(() => query.data.value?.serves === true)
  watch(
    types,
    (found) => {
      for (const { translations } of found) learnTexts(translations)
    },
    { immediate: true },
  )
  const units = computed(() => types.value.flatMap((type) => type.units))
  const dimensions = computed(() => types.value.flatMap((type) => type.dimensions))
  return {
    /** A whole task may be priced whatever its upstream counts. */
    units: computed(() =>
      unlike(isKnown.value ? [...units.value, 'task'] : [...usual.units, ...units.value]),
    ),
    dimensions: computed(() =>
      unlike(isKnown.value ? dimensions.value : [...usual.dimensions, ...dimensions.value]),
    ),
    /** Of these a button each is offered. */
    first: computed(() => unlike(isKnown.value ? dimensions.value : usual.dimensions)),
    /** Titles of those that serve the model. */
    servedBy: computed(() => (isKnown.value ? types.value.map(({ title }) => title) : [])),
  }
}

function unlike(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
