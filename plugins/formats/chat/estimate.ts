/**
 * Prompt tokens of an outgoing chat request: its texts by character class, media by fixed figures, and what each message
 * costs around its text. Only for holds and for upstreams that report nothing.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { countJson, TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { objectOf, objectsOf, textOf } from './fields.js'

const tokensPerMessage = 4
const tokensPerReply = 3
const tokensPerImage = 765
const tokensPerSmallImage = 85
const tokensPerFile = 2000
/** A second of speech is about 10 tokens, and 32,000 bytes where it is not compressed. */
const audioBytesPerToken = 3200

export function estimate(wire: JsonObject): Usage {
  const count: Count = { text: new TokenCounter(), fixed: tokensPerReply, audio: 0 }
  for (const message of objectsOf(wire.messages)) {
    count.fixed += tokensPerMessage
    countMessage(message, count)
  }
  if (wire.tools !== undefined) countJson(wire.tools, count.text)
  const schema = objectOf(wire.response_format)?.json_schema
  if (schema !== undefined) countJson(schema, count.text)
  const input = count.text.estimatedTokens + count.fixed
  return count.audio === 0 ? { input } : { input, inputAudio: count.audio }
}

interface Count {
  readonly text: TokenCounter
  fixed: number
  audio: number
}

function countMessage(message: JsonObject, count: Count): void {
  const { content } = message
  if (typeof content === 'string') count.text.add(content)
  for (const part of objectsOf(content)) countPart(part, count)
  for (const field of ['reasoning_content', 'refusal', 'name']) {
    count.text.add(textOf(message[field]) ?? '')
  }
  for (const { function: called } of objectsOf(message.tool_calls)) {
    count.fixed += tokensPerMessage
    if (isObject(called)) countJson(called, count.text)
  }
}

function countPart(part: JsonObject, count: Count): void {
  switch (part.type) {
    case 'image_url': {
      const small = objectOf(part.image_url)?.detail === 'low'
      count.fixed += small ? tokensPerSmallImage : tokensPerImage
      break
    }
    case 'input_audio': {
      const data = textOf(objectOf(part.input_audio)?.data) ?? ''
      count.audio += Math.ceil((data.length * 0.75) / audioBytesPerToken)
      break
    }
    case 'file':
    case 'video_url':
      count.fixed += tokensPerFile
      break
    default:
      countJson(part.text ?? part, count.text)
  }
}
