/** What stands at both ends of a route: what the client speaks by its path, what the upstream speaks by the converter. */
import type { FormatName } from '../../kernel/contract/names.js'

/** Our own words, and those of new-api, whose converters are `<end>_to_<end>`. */
const words: Readonly<Record<string, FormatName>> = {
  chat: 'chat',
  openai: 'chat',
  openai_chat_completions: 'chat',
  messages: 'messages',
  claude: 'messages',
  anthropic: 'messages',
  anthropic_messages: 'messages',
  generative: 'generative',
  responses: 'responses',
  openai_responses: 'responses',
}

/** How new-api writes this end in full is documented nowhere, and Gemini has one form of chat. */
const gemini = /^gemini(?:_\w+)?$/

/** `sglang` is a list of documents in the order of a query, as SGLang answers it. */
export type Conversion = 'none' | 'sglang' | { readonly from: FormatName; readonly to: FormatName }

/** `chat->messages`, `openai_chat_completions_to_anthropic_messages` and the like; undefined: not a converter. */
export function conversionOf(text: string): Conversion | undefined {
  if (text === '' || text === 'none') return 'none'
  if (text === 'jina_rerank_to_sglang') return 'sglang'
  const [from = '', to = '', ...more] = text.split(/->|_to_/).map((word) => word.trim())
  const ends = { from: formatOf(from), to: formatOf(to) }
  if (more.length > 0 || ends.from === undefined || ends.to === undefined) return undefined
  return { from: ends.from, to: ends.to }
}

function formatOf(word: string): FormatName | undefined {
  if (gemini.test(word)) return 'generative'
  return Object.hasOwn(words, word) ? words[word] : undefined
}
