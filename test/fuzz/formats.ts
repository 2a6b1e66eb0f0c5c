/** The four formats, and what of the corpus is written in each. */
import type { Format } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import { answers, type Recorded, streams } from './corpus.js'
import type { Bytes } from './mutations.js'

export const formats: Readonly<Record<FormatName, Format>> = {
  chat: chat(),
  messages: messages(),
  generative: generative(),
  responses: responses(),
}

const speakers: Readonly<Record<FormatName, readonly string[]>> = {
  chat: ['chat', 'deepseek', 'mistral', 'openrouter', 'moonshot', 'zhipu', 'xai', 'perplexity'],
  messages: ['messages', 'anthropic'],
  generative: ['generative', 'gemini', 'vertex'],
  responses: ['responses'],
}

export function answersIn(format: FormatName): readonly JsonObject[] {
  return ofSpeakers(format, answers)
}

export function streamsIn(format: FormatName): readonly Bytes[] {
  return ofSpeakers(format, streams)
}

function ofSpeakers<Content>(
  format: FormatName,
  all: readonly Recorded<Content>[],
): readonly Content[] {
  return all.filter(({ from }) => speakers[format].includes(from)).map(({ content }) => content)
}
