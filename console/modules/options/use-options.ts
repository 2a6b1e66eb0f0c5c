/** The options as they are stored, what somebody changed of them, and storing that. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, reactive, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { ApiFailure, messageOf } from '../../api/failure.js'
import {
  type Option,
  type OptionUpdate,
  putOptions,
  readOptionPlugins,
  readOptions,
} from '../../api/options.js'
import { useSite } from '../../shell/site.js'
import { faultOf } from './option-text.js'
import { groupsOf } from './sections.js'
import { type OptionChange, useOptionDrafts } from './use-option-drafts.js'

export type { OptionChange }

export function useOptions() {
  const { t } = useI18n()
  const site = useSite()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['options'],
    queryFn: async () => {
      const [options, plugins] = await Promise.all([readOptions(), readOptionPlugins()])
      return { options, plugins }
    },
  })
  const options = computed(() => query.data.value?.options ?? [])
  const groups = computed(() => groupsOf(options.value, query.data.value?.plugins ?? []))
  const drafts = useOptionDrafts(options)
  const { changes } = drafts

  /** Errors of the server, by key. */
  const refusals = reactive<Record<string, string>>({})
  const problem = ref('')
  const busy = ref(false)

  /** Some draft cannot be stored, so the server is not called. */
  const broken = computed(() =>
    changes.value.some(({ option, to }) => faultOf(option, to) !== undefined),
  )

  function put(option: Option, text: string | undefined): void {
    delete refusals[option.key]
    problem.value = ''
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

  function clear(): void {
    for (const key of Object.keys(refusals)) delete refusals[key]
    problem.value = ''
  }

  function again(): Promise<void> {
    return queryClient.invalidateQueries({ queryKey: ['options'] })
  }

  /** True once all are stored. */
  async function save(): Promise<boolean> {
    const sent = changes.value
    clear()
    busy.value = true
    try {
      await stored(sent)
      await Promise.all([again(), site.load()])
      drafts.forget(sent)
      return true
    } catch (error) {
      take(error)
      return false
    } finally {
      busy.value = false
    }
  }

  async function stored(sent: readonly OptionChange[]): Promise<void> {
    try {
      await putOptions(sent.map(updateOf))
    } catch (error) {
      // Whether all of it is stored although the answer was lost, or what others stored, stands there now.
      await again()
      if (sent.some(({ option: { key } }) => isLeft(key))) throw error
    }
  }

  function isLeft(key: string): boolean {
    return changes.value.some(({ option }) => option.key === key)
  }

  function take(error: unknown): void {
    const { field, status } = error instanceof ApiFailure ? error : {}
    const option = options.value.find(({ key }) => key === field)
    if (option === undefined) problem.value = messageOf(error)
    else if (status === 409 && drafts.isOvertaken(option)) problem.value = t('options.lookAgain')
    else {
      refusals[option.key] = messageOf(error)
      problem.value = t('options.refused')
    }
  }

  return {
    ...{ query, options, groups, changes, broken, problem, busy },
    ...{ isChanged: drafts.isChanged, isOvertaken: drafts.isOvertaken, textOf: drafts.textOf },
    ...{ put, faultAt, discard, save },
  }
}

export type OptionDraft = ReturnType<typeof useOptions>

/** A secret is blank in a draft only where somebody takes it away, and nobody can see what it was. */
function updateOf({ option: { key, type, value }, to }: OptionChange): OptionUpdate {
  if (type === 'secret') return { key, value: to === '' ? null : to }
  return { key, value: to, was: value }
}
