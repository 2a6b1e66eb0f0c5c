/**
 * The canonical call as messages to a bot. A bot has instructions of its own, so those of a client are sent by the
 * user, where they stood; nothing is kept for the next request.
 */
import type { Call, Turn } from '../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { type Content, contentOf } from './content.js'

/** The service separates users; calls that name none are one user. */
const anonymous = 'user'

export function encode({ model, turns, user, only }: Call, { settings }: ChannelView): JsonObject {
  const variables = only?.chat?.custom_variables
  return {
    bot_id: botOf(model, settings),
    user_id: user || anonymous,
    additional_messages: turns.flatMap(message),
    stream: true,
    auto_save_history: false,
    ...(isObject(variables) && { custom_variables: variables }),
  }
}

function botOf(model: string, { bot_id: setting }: JsonObject): string {
  if (model.startsWith('bot-')) return model.slice('bot-'.length)
  return typeof setting === 'string' && setting.trim() !== '' ? setting.trim() : model
}

function message({ role, parts }: Turn): JsonObject[] {
  const content = parts.flatMap(contentOf)
  if (content.length === 0) return []
  const isBot = role === 'assistant'
  return [
    {
      role: isBot ? 'assistant' : 'user',
      type: isBot ? 'answer' : 'question',
      ...written(content),
    },
  ]
}

/** Objects travel as a text of their own, once all of them are uploaded. */
function written(content: readonly Content[]): JsonObject {
  if (content.every((item) => item.type === 'text')) {
    return { content: content.map(({ text }) => text).join('\n'), content_type: 'text' }
  }
  const isWaiting = content.some((item) => 'upload' in item)
  return { content: isWaiting ? content : JSON.stringify(content), content_type: 'object_string' }
}
