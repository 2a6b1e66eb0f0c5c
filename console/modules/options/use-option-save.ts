/** Storing what was changed of the options, and what the server refuses of it. */
import { type Ref, reactive, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { ApiFailure, messageOf } from '../../api/failure.js'
import { type Option, type OptionUpdate, putOptions } from '../../api/options.js'
import { useSite } from '../../shell/site.js'
import type { OptionChange, OptionDrafts } from './use-option-drafts.js'

interface SaveDependencies {
  readonly options: Readonly<Ref<readonly Option[]>>
  readonly drafts: OptionDrafts
  /** Reads what is stored now. */
  readonly again: () => Promise<void>
}

export function useOptionSave({ options, drafts, again }: SaveDependencies) {
  const { t } = useI18n()
  const site = useSite()
  const { changes } = drafts
  /** Errors of the server, by key. */
  const refusals = reactive<Record<string, string>>({})
  const problem = ref('')
  const busy = ref(false)

  function clear(): void {
    for (const key of Object.keys(refusals)) delete refusals[key]
    problem.value = ''
  }

  /** Somebody goes on with this option: what was refused of it is out of date. */
  function forget(key: string): void {
    delete refusals[key]
    problem.value = ''
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

  return { refusals, problem, busy, clear, forget, save }
}

/** A secret is blank in a draft only where somebody takes it away, and nobody can see what it was. */
function updateOf({ option: { key, type, value }, to }: OptionChange): OptionUpdate {
  if (type === 'secret') return { key, value: to === '' ? null : to }
  return { key, value: to, was: value }
}
