/** What somebody changed and has not saved, each with what stood there when they began. */
import { computed, type Ref, reactive } from 'vue'
import type { Option } from '../../api/options.js'
import { sameText } from './option-text.js'

export interface OptionChange {
  readonly option: Option
  readonly to: string
}

interface Draft {
  readonly text: string
  readonly was: string
}

export type OptionDrafts = ReturnType<typeof useOptionDrafts>

export function useOptionDrafts(options: Ref<readonly Option[]>) {
  /** By key. */
  const drafts = reactive<Record<string, Draft>>({})

  /** A draft equal to the stored value is no change, whoever stored it. */
  function isChanged(option: Option): boolean {
    const draft = drafts[option.key]
    if (draft === undefined) return false
    return option.type === 'secret' || !sameText(option, draft.text, option.value)
  }

  const changes = computed<readonly OptionChange[]>(() =>
    options.value.filter(isChanged).map((option) => ({ option, to: textOf(option) })),
  )

  /** Undefined: as it is stored. */
  function put(option: Option, text: string | undefined): void {
    const { key, type, value } = option
    const isSame = text === undefined || (type !== 'secret' && sameText(option, text, value))
    if (isSame) delete drafts[key]
    else drafts[key] = { text, was: drafts[key]?.was ?? value }
  }

  function textOf({ key, value }: Option): string {
    return drafts[key]?.text ?? value
  }

  /** Somebody else stored something there since it was changed here. */
  function isOvertaken(option: Option): boolean {
    return isChanged(option) && drafts[option.key]?.was !== option.value
  }

  /** What was typed on meanwhile stays. */
  function forget(stored: readonly OptionChange[]): void {
    for (const { option, to } of stored) {
      if (drafts[option.key]?.text === to) delete drafts[option.key]
    }
  }

  return { changes, isChanged, isOvertaken, put, textOf, forget }
}
