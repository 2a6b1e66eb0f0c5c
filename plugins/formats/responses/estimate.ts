/**
 * What billing reads from an outgoing responses request: its output limit, and an estimate of its prompt by character
 * class, media by fixed figures. What the upstream has stored of an earlier answer cannot be seen from here.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Limits } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { countJson, TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { objectOf, objectsOf, textOf } from './fields.js'

export function limitsOf({ max_output_tokens: limit }: JsonObject): Limits {
  return typeof limit === 'number' && limit >= 0 ? { maxOutput: limit } : {}
}

const tokensPerItem = 4
const tokensPerReply = 3
const tokensPerImage = 765
const tokensPerSmallImage = 85
const tokensPerFile = 2000
/** A second of speech is about 10 tokens, and 32,000 bytes where it is not compressed. */
const audioBytesPerToken = 3200

interface Count {
  readonly text: TokenCounter
  fixed: number
  audio: number
}

export function estimate({ instructions, input, tools, text }: JsonObject): Usage {
  const count: Count = { text: new TokenCounter(), fixed: tokensPerReply, audio: 0 }
  for (const prose of [instructions, input]) count.text.add(textOf(prose) ?? '')
  for (const item of objectsOf(input)) {
    count.fixed += tokensPerItem
    countItem(item, count)
  }
  countJson(tools, count.text)
  countJson(objectOf(objectOf(text)?.format)?.schema, count.text)
  const total = count.text.estimatedTokens + count.fixed
  return count.audio === 0 ? { input: total } : { input: total, inputAudio: count.audio }
}

function countItem(item: JsonObject, count: Count): void {
  const content = item.content ?? item.output
  if (typeof content === 'string') count.text.add(content)
  for (const part of objectsOf(content)) countPart(part, count)
  if (item.type === 'image_generation_call' || item.type === 'computer_call_output') {
    count.fixed += tokensPerImage
  }
  const { id, role, content: _, output, encrypted_content, result, ...fields } = item
  if (item.role === undefined) countJson(fields, count.text)
}

function countPart(part: JsonObject, count: Count): void {
  switch (part.type) {
    case 'input_image':
      count.fixed += part.detail === 'low' ? tokensPerSmallImage : tokensPerImage
      break
    case 'input_file':
      count.fixed += tokensPerFile
      break
    case 'input_audio': {
      const data = textOf(objectOf(part.input_audio)?.data) ?? ''
      count.audio += Math.ceil((data.length * 0.75) / audioBytesPerToken)
      break
    }
    default:
      countJson(part.text ?? part, count.text)
  }
}
