/** Which section is open and which option is looked for: `?section=` and `#key` of the address. */
import { computed, nextTick, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { type OptionGroup, type SectionId, sectionIds } from './sections.js'
import { useOptionWords } from './use-option-words.js'
import type { OptionDraft } from './use-options.js'

export function useOptionPlace({ groups }: Pick<OptionDraft, 'groups'>) {
  const route = useRoute()
  const router = useRouter()
  const words = useOptionWords()
  const search = ref('')

  const sections = computed(() =>
    sectionIds.filter((id) => groups.value.some(({ section }) => section === id)),
  )
  const sought = computed(() => decodeURIComponent(route.hash.slice(1)))
  const section = computed<SectionId>({
    get: () => sections.value.find((id) => id === route.query.section) ?? 'general',
    set(next) {
      search.value = ''
      void router.replace({ query: { section: next } })
    },
  })

  const sorted = computed(() => {
    const terms = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    if (terms.length === 0) return groups.value.filter((group) => group.section === section.value)
    return groups.value.flatMap((group) => found(group, terms))
  })

  function found(group: OptionGroup, terms: readonly string[]): readonly OptionGroup[] {
    const heading = words.groupTitle(group)
    const options = group.options.filter((option) => {
      const { key, title, help = '' } = option
      const own = `${words.titleOf(option)} ${words.helpOf(option)}`
      const text = `${key} ${title} ${help} ${own} ${heading}`.toLowerCase()
      return terms.every((word) => text.includes(word))
    })
    return options.length === 0 ? [] : [{ ...group, options }]
  }

  watch(
    [sought, groups],
    async ([key]) => {
      const group = groups.value.find(({ options }) => options.some((one) => one.key === key))
      if (key === '' || group === undefined) return
      search.value = ''
      if (route.query.section !== group.section) {
        await router.replace({ query: { section: group.section }, hash: route.hash })
      }
      await nextTick()
      document.getElementById(`option-${key}`)?.scrollIntoView({ block: 'center' })
    },
    { immediate: true, flush: 'post' },
  )

  return { search, sections, section, sought, shown: sorted }
}
