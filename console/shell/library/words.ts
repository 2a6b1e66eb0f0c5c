/** The component library's own texts, in our words: its own ask for input where a label already does. */
import { enUS, type NDateLocale, type NLocale } from 'naive-ui'
import type { Locale } from '../module.js'

export interface LibraryTexts {
  readonly words: NLocale
  /** Absent: its own, which are English. */
  readonly dates?: NDateLocale
}

interface Ours {
  readonly choose: string
  readonly nothing: string
}

/** A language is loaded with the texts of the shell. */
export const libraryTexts: Readonly<Record<Locale, () => Promise<LibraryTexts>>> = {
  en: async () => ({
    words: inOurs(enUS, { choose: 'Choose …', nothing: 'Nothing to choose from' }),
  }),
  zh: async () => {
    const { zhCN, dateZhCN } = await import('./chinese.js')
    return { words: inOurs(zhCN, { choose: '请选择', nothing: '没有可选项' }), dates: dateZhCN }
  },
}

function inOurs(theirs: NLocale, { choose, nothing }: Ours): NLocale {
  return {
    ...theirs,
    Select: { ...theirs.Select, placeholder: choose },
    Input: { ...theirs.Input, placeholder: '' },
    InputNumber: { ...theirs.InputNumber, placeholder: '' },
    Empty: { ...theirs.Empty, description: nothing },
  }
}
