/** The formats at both ends of a route: what the client speaks by its path, what the upstream speaks by the converter. */
import type { FormatName } from '../../kernel/contract/names.js'

const words: Readonly<Record<string, FormatName>> = {
  chat: 'chat',
  openai: 'chat',
  messages: 'messages',
  claude: 'messages',
  anthropic: 'messages',
  generative: 'generative',
  gemini: 'generative',
  responses: 'responses',
}

export interface Conversion {
  readonly from: FormatName
  readonly to: FormatName
}

/** `chat->messages` and the like; `none` for nothing to convert; undefined: not a converter. */
export function conversionOf(text: string): Conversion | 'none' | undefined {
  if (text === '' || text === 'none') return 'none'
  const [from = '', to = '', ...more] = text.split('->').map((word) => word.trim())
  if (more.length > 0 || !Object.hasOwn(words, from) || !Object.hasOwn(words, to)) return undefined
  return { from: words[from]!, to: words[to]! }
}
