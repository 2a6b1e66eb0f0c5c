/** The options as they are stored, and what somebody changed of them and has not saved. */
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
import { faultOf, sameText } from './option-text.js'
import { groupsOf } from './sections.js'

export interface OptionChange {
  readonly option: Option
  readonly to: string
}

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

  /** Texts by key. */
  const drafts = reactive<Record<string, string>>({})
  /** What the server said, by key. */
  const refusals = reactive<Record<string, string>>({})
  const problem = ref('')
  const busy = ref(false)

  const changes = computed<readonly OptionChange[]>(() =>
    options.value.flatMap((option) => {
      const to = drafts[option.key]
      return to === undefined ? [] : [{ option, to }]
    }),
  )

  /** Some draft cannot be stored, whatever the server says. */
  const broken = computed(() =>
    changes.value.some(({ option, to }) => faultOf(option, to) !== undefined),
  )

  /** Undefined: as it is stored. */
  function put(option: Option, text: string | undefined): void {
    delete refusals[option.key]
    problem.value = ''
    const keeps = option.type !== 'secret' && text !== undefined
    if (text === undefined || (keeps && sameText(option, text, option.value))) {
      delete drafts[option.key]
    } else drafts[option.key] = text
  }

  function textOf(option: Option): string {
    return drafts[option.key] ?? option.value
  }

  function faultAt(option: Option): string {
    const draft = drafts[option.key]
    const own = draft === undefined ? undefined : faultOf(option, draft)
    return own === undefined ? (refusals[option.key] ?? '') : t(`options.${own}`)
  }

  function discard(): void {
    for (const key of Object.keys(drafts)) delete drafts[key]
    clear()
  }

  function clear(): void {
    for (const key of Object.keys(refusals)) delete refusals[key]
    problem.value = ''
  }

  /** True once all are stored. */
  async function save(): Promise<boolean> {
    clear()
    busy.value = true
    try {
      await putOptions(changes.value.map(updateOf))
      await Promise.all([queryClient.invalidateQueries({ queryKey: ['options'] }), site.load()])
      discard()
      return true
    } catch (error) {
      take(error)
      return false
    } finally {
      busy.value = false
    }
  }

  function take(error: unknown): void {
    const field = error instanceof ApiFailure ? error.field : undefined
    const named = field !== undefined && options.value.some(({ key }) => key === field)
    if (named) refusals[field] = messageOf(error)
    problem.value = named ? t('options.refused') : messageOf(error)
  }

  return {
    ...{ query, options, groups, drafts, changes, broken, problem, busy },
    ...{ put, textOf, faultAt, discard, save },
  }
}

export type OptionDraft = ReturnType<typeof useOptions>

/** A secret is blank in a draft only where somebody takes it away. */
function updateOf({ option: { key, type }, to }: OptionChange): OptionUpdate {
  return { key, value: type === 'secret' && to === '' ? null : to }
}
