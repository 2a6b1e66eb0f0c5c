/** What billing reads from an outgoing messages request: its output limit and an estimate of its prompt. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Limits } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { estimateTokens } from '../../../kernel/toolkit/format/index.js'

export function limitsOf({ max_tokens: limit }: JsonObject): Limits {
  return typeof limit === 'number' && limit >= 0 ? { maxOutput: limit } : {}
}

/** The most an image costs at the upstream's own scale. */
const imageTokens = 1600
/** A page of a document, by the bytes a page usually has. */
const pageTokens = 2000
const pageBytes = 65_536
/** Role and separators around a message. */
const messageTokens = 4

export function estimate({ system, messages, tools }: JsonObject): Usage {
  const list = Array.isArray(messages) ? messages.filter(isObject) : []
  const spoken = list.reduce((sum, { content }) => sum + messageTokens + contentTokens(content), 0)
  return { input: contentTokens(system) + spoken + jsonTokens(tools) }
}

function contentTokens(content: Json | undefined): number {
  if (typeof content === 'string') return estimateTokens(content)
  if (!Array.isArray(content)) return 0
  return content.filter(isObject).reduce((sum, block) => sum + blockTokens(block), 0)
}

function blockTokens(block: JsonObject): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text)
    case 'thinking':
      return textTokens(block.thinking)
    case 'image':
      return imageTokens
    case 'document':
      return documentTokens(block.source)
    case 'tool_result':
      return contentTokens(block.content)
    default:
      return jsonTokens(block)
  }
}

function documentTokens(source: Json | undefined): number {
  const { type, data, content } = isObject(source) ? source : {}
  if (type === 'text') return textTokens(data)
  if (type === 'content') return contentTokens(content)
  const bytes = typeof data === 'string' ? (data.length * 3) / 4 : 0
  return pageTokens * Math.max(1, Math.ceil(bytes / pageBytes))
}

function textTokens(text: Json | undefined): number {
  return typeof text === 'string' ? estimateTokens(text) : 0
}

/** Without most of its punctuation: models are shown a terser language than JSON. */
function jsonTokens(value: Json | undefined): number {
  if (value === undefined) return 0
  return estimateTokens(JSON.stringify(value).replace(/["{}[\],]+/g, ' '))
}
