/** Which models the service has behind its messages and responses interfaces; the others are called in the chat format. */
import { isAbout, type ModelFact } from '../../kernel/toolkit/vendors/index.js'

const messagesPage = {
  source: 'docs.qwencloud.com/api-reference/chat/anthropic',
  read: '2026-11-27',
} as const

const messagesFacts: readonly ModelFact[] = [
  // Max, Plus, Flash and Turbo of every generation; those that play characters are not in the list.
  {
    models: /^qwen(?:3(?:\.\d+)?)?-(?:max|plus|flash|turbo)(?!.*character)(?:-|$)/,
    ...messagesPage,
  },
  { models: /^qwen3-coder-(?:next|plus|flash)(?:-|$)/, ...messagesPage },
  { models: /^qwen(?:3-vl-(?:plus|flash)|-vl-(?:max|plus))(?:-|$)/, ...messagesPage },
  // Open models since 3.5, named by their size.
  { models: /^qwen3\.[5-9]-\d/, ...messagesPage },
  { models: /^deepseek-v(?:3\.2|4-)/, ...messagesPage },
]

const responsesPage = {
  source: 'platform.qianwenai.com/docs (create a response)',
  read: '2026-11-27',
} as const

const responsesFacts: readonly ModelFact[] = [
  { models: /^qwen3(?:\.\d+)?-max(?:-|$)/, ...responsesPage },
  { models: /^qwen3\.\d+-(?:plus|flash)(?:-|$)/, ...responsesPage },
  { models: /^qwen3\.[5-9]-\d/, ...responsesPage },
  // Of these the list has the names without a date.
  { models: /^qwen-(?:plus|flash)(?:-character)?$/, ...responsesPage },
  { models: /^qwen3-coder-(?:plus|flash)$/, ...responsesPage },
  { models: /^qwen3\.5-ocr$/, ...responsesPage },
  { models: /^deepseek-v4-/, ...responsesPage },
]

export function hasMessages(model: string): boolean {
  return messagesFacts.some((fact) => isAbout(fact, model))
}

export function hasResponses(model: string): boolean {
  return responsesFacts.some((fact) => isAbout(fact, model))
}
