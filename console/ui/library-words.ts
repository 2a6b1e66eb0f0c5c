/** The component library's own texts, in our words: its own ask for input where a label already does. */
import { enUS, type NLocale, zhCN } from 'naive-ui'

export const libraryWords: Readonly<Record<'en' | 'zh', NLocale>> = {
  en: inOurs(enUS, { choose: 'Choose …', nothing: 'Nothing to choose from' }),
  zh: inOurs(zhCN, { choose: '请选择', nothing: '没有可选项' }),
}

interface Ours {
  readonly choose: string
  readonly nothing: string
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
