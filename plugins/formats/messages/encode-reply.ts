/**
 * Events folded to one messages body. They are written as the stream a client would get and put together as that
 * client would, so a body and its stream cannot differ.
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { Reader } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { sequential } from '../../../kernel/toolkit/format/index.js'
import { parsedText } from '../../../kernel/toolkit/json/index.js'
import { EventEncoder } from './encode-event.js'

export function encodeReply(
  events: readonly Event[],
  call: Pick<Reader, 'model' | 'requestId'>,
): JsonObject {
  const order = sequential(Number.POSITIVE_INFINITY)
  const encoder = new EventEncoder(call)
  const ordered = [...events.flatMap((event) => order.push(event)), ...order.flush()]
  return fold(ordered.flatMap((event) => encoder.encode(event)))
}

interface Block {
  readonly content: JsonObject
  text: string
  thinking: string
  signature: string
  json: string
  readonly citations: JsonObject[]
}

function fold(stream: readonly JsonObject[]): JsonObject {
  const blocks: Block[] = []
  let message: JsonObject = {}
  let last: JsonObject = {}
  for (const wire of stream) {
    if (wire.type === 'message_start' && isObject(wire.message)) message = wire.message
    if (wire.type === 'content_block_start' && isObject(wire.content_block)) {
      blocks.push(emptyBlock(wire.content_block))
    }
    if (wire.type === 'content_block_delta' && isObject(wire.delta)) add(blocks.at(-1), wire.delta)
    if (wire.type === 'message_delta' && isObject(wire.delta)) {
      last = { ...wire.delta, usage: wire.usage }
    }
  }
  return { ...message, content: blocks.map(finished), ...last }
}

function emptyBlock(content: JsonObject): Block {
  return { content, text: '', thinking: '', signature: '', json: '', citations: [] }
}

function add(block: Block | undefined, delta: JsonObject): void {
  if (block === undefined) return
  if (typeof delta.text === 'string') block.text += delta.text
  if (typeof delta.thinking === 'string') block.thinking += delta.thinking
  if (typeof delta.signature === 'string') block.signature += delta.signature
  if (typeof delta.partial_json === 'string') block.json += delta.partial_json
  if (isObject(delta.citation)) block.citations.push(delta.citation)
}

function finished({ content, text, thinking, signature, json, citations }: Block): JsonObject {
  switch (content.type) {
    case 'text':
      return { ...content, text, ...(citations.length === 0 ? {} : { citations }) }
    case 'thinking':
      return { ...content, thinking, signature }
    case 'tool_use':
    case 'server_tool_use':
      return { ...content, input: inputOf(json) }
    default:
      return content
  }
}

/**
 * Input that is no JSON, or too much of it to read at once, stays the text it is: the client sees it is wrong, instead of a
 * call with no input.
 */
function inputOf(json: string): JsonObject[string] {
  if (json === '') return {}
  const value = parsedText(json)
  return value === undefined ? json : value
}
