/** The options as they are stored, and what somebody changed of them. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { type Option, readOptionPlugins, readOptions } from '../../api/options.js'
import { learnTexts } from '../../ui/shipped-texts.js'
import { faultOf } from './option-text.js'
import { groupsOf } from './sections.js'
import { type OptionChange, useOptionDrafts } from './use-option-drafts.js'
import { useOptionSave } from './use-option-save.js'

export type { OptionChange }

export function useOptions() {
  const { t } = useI18n()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['options'],
    queryFn: async () => {
      const [options, plugins] = await Promise.all([readOptions(), readOptionPlugins()])
      for (const { translations } of plugins) learnTexts(translations)
      return { options, plugins }
    },
  })
  const options = computed(() => query.data.value?.options ?? [])
  const groups = computed(() => groupsOf(options.value, query.data.value?.plugins ?? []))
  const drafts = useOptionDrafts(options)
  const { changes } = drafts

  const again = () => queryClient.invalidateQueries({ queryKey: ['options'] })
  const { refusals, problem, busy, clear, forget, save } = useOptionSave({ options, drafts, again })

  /** Some draft cannot be stored, so the server is not called. */
  const broken = computed(() =>
    changes.value.some(({ option, to }) => faultOf(option, to) !== undefined),
  )

  function put(option: Option, text: string | undefined): void {
    forget(option.key)
    drafts.put(option, text)
  }

  function faultAt(option: Option): string {
    const own = drafts.isChanged(option) ? faultOf(option, drafts.textOf(option)) : undefined
    return own === undefined ? (refusals[option.key] ?? '') : t(`options.${own}`)
  }

  function discard(): void {
    drafts.forget(changes.value)
    clear()
  }

  return {
    ...{ query, options, groups, changes, broken, problem, busy },
    ...{ isChanged: drafts.isChanged, isOvertaken: drafts.isOvertaken, textOf: drafts.textOf },
    ...{ put, faultAt, discard, save },
  }
}

export type OptionDraft = ReturnType<typeof useOptions>
