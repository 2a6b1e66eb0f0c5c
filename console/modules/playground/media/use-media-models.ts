/** Models of media in the group that is chosen, and which of them is; both are kept in this browser. */
import { useQuery } from '@tanstack/vue-query'
import { computed, ref, watch } from 'vue'
import { type RequestField, readMediaModels, type Translations } from '../../../api/media.js'
import { readGroups } from '../../../api/playground.js'
import { recall, remember } from '../../../shell/remembered.js'
import { learnTexts } from '../../../ui/shipped-texts.js'

/** `person`: several may use one browser. */
export function useMediaModels(person: number) {
  const place = (name: string) => `playground.media.${name}.${person}`
  const group = ref(recall(place('group')) ?? '')
  const chosen = ref(recall(place('model')) ?? '')
  const groups = useQuery({ queryKey: ['playground', 'groups'], queryFn: readGroups })
  const models = useQuery({
    queryKey: ['playground', 'media', group],
    queryFn: () => readMediaModels(group.value),
  })
  const all = computed(() => models.data.value?.models ?? [])
  const current = computed(
    () => all.value.find(({ model }) => model === chosen.value) ?? all.value[0],
  )
  const fields = computed((): readonly RequestField[] => {
    const at = current.value?.form
    return (at === undefined ? undefined : models.data.value?.forms[at]) ?? []
  })
  const translations = computed((): Translations => {
    const at = current.value?.form
    return (at === undefined ? undefined : models.data.value?.translations[at]) ?? {}
  })
  watch(translations, learnTexts, { immediate: true })
  watch(group, (name) => remember(place('group'), name))
  watch(chosen, (name) => remember(place('model'), name))
  return { group, groups, chosen, models, all, current, fields }
}
