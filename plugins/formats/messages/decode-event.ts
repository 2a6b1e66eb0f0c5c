/**
 * The stream's own events, one after the other, as canonical events. It knows what is open, so every part that opens
 * is closed, usage stays cumulative and nothing follows the end.
 */
import type { At, Event, OpenPart, Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { toolInput } from '../../../kernel/toolkit/format/index.js'
import { defined } from './defined.js'
import { streamFailure } from './failure.js'
import { readSeal, type Seal, sealOfRedacted } from './seal.js'
import { readStop } from './stop.js'
import { mergeUsage, readUsage } from './usage.js'

interface OpenBlock {
  readonly at: At
  readonly kind: OpenPart['kind']
  /** The block as it opened. */
  readonly block: JsonObject
  /** Some of its input came. */
  begun: boolean
  /** Pieces of the input so far, where the whole block has to be sent at the end. */
  json: string
}

export class EventDecoder {
  private readonly blocks = new Map<Json | undefined, OpenBlock>()
  private parts = 0
  private usage: Usage = {}
  private raw: JsonObject = {}
  private stopped = false
  private over = false

  decode(wire: JsonObject): Event[] {
    if (this.over) return []
    switch (wire.type) {
      case 'message_start':
        return this.start(isObject(wire.message) ? wire.message : {})
      case 'content_block_start':
        return isObject(wire.content_block) ? this.open(wire.index, wire.content_block) : []
      case 'content_block_delta':
        return this.delta(wire)
      case 'content_block_stop':
        return this.close(wire.index)
      case 'message_delta':
        return this.messageDelta(wire)
      case 'message_stop':
        return this.end(wire)
      case 'error':
        return this.fail(wire)
      default:
        return [{ type: 'note', of: 'messages', raw: wire }]
    }
  }

  private start(message: JsonObject): Event[] {
    const { id, model, usage } = message
    const event: Event = defined({
      type: 'start',
      id: typeof id === 'string' ? id : undefined,
      model: typeof model === 'string' ? model : undefined,
    })
    if (!isObject(usage)) return [event]
    // What was written when the stream began is a snapshot, not a count: kept as one, it would stand for the whole
    // answer of a stream whose last count never came (FMT-3, M9).
    const { output_tokens, ...counted } = usage
    return [event, ...this.count(counted, false)]
  }

  private open(index: Json | undefined, block: JsonObject): Event[] {
    const closed = this.blocks.has(index) ? this.close(index) : []
    const at = { choice: 0, part: this.parts++ }
    const part = openPart(block)
    const state: OpenBlock = { at, kind: part.kind, block, begun: false, json: '' }
    this.blocks.set(index, state)
    const event: Event = { type: 'open', at, part }
    return [...closed, event, ...first(state)]
  }

  private delta({ index, delta, ...rest }: JsonObject): Event[] {
    const state = this.blocks.get(index)
    if (state === undefined || !isObject(delta)) return []
    const { at } = state
    const { type, text, thinking, partial_json: json, signature, citation } = delta
    if (type === 'text_delta' && typeof text === 'string') return [{ type: 'delta', at, text }]
    if (type === 'thinking_delta' && typeof thinking === 'string') {
      return [{ type: 'delta', at, text: thinking }]
    }
    if (type === 'input_json_delta' && typeof json === 'string') return input(state, json)
    if (type === 'signature_delta' && typeof signature === 'string') {
      return [sealDelta(at, readSeal(signature))]
    }
    if (type === 'citations_delta' && citation !== undefined) {
      return [{ type: 'delta', at, citation }]
    }
    return [{ type: 'note', of: 'messages', raw: { ...rest, index, delta } }]
  }

  private close(index: Json | undefined): Event[] {
    const state = this.blocks.get(index)
    if (state === undefined) return []
    this.blocks.delete(index)
    return [...last(state), { type: 'close', at: state.at, ...whole(state) }]
  }

  private messageDelta({ delta, usage }: JsonObject): Event[] {
    return [
      ...(isObject(delta) ? this.stop(delta) : []),
      ...(isObject(usage) ? this.count(usage, true) : []),
    ]
  }

  private stop({ stop_reason: word, stop_sequence: sequence }: JsonObject): Event[] {
    if (typeof word !== 'string' || this.stopped) return []
    this.stopped = true
    const found = typeof sequence === 'string' ? { sequence } : {}
    return [{ type: 'stop', choice: 0, reason: readStop(word), word, ...found }]
  }

  private count(raw: JsonObject, final: boolean): Event[] {
    this.usage = mergeUsage(this.usage, readUsage(raw, this.usage))
    this.raw = { ...this.raw, ...withoutNulls(raw) }
    return [{ type: 'usage', usage: this.usage, raw: this.raw, final }]
  }

  private end({ usage }: JsonObject): Event[] {
    const closed = [...this.blocks.keys()].flatMap((index) => this.close(index))
    const counted = isObject(usage) ? this.count(usage, true) : []
    this.over = true
    return [...closed, ...counted, { type: 'end' }]
  }

  private fail(wire: JsonObject): Event[] {
    this.over = true
    return [{ type: 'failure', failure: streamFailure(wire.error) }]
  }
}

function openPart(block: JsonObject): OpenPart {
  const { type, id, name } = block
  if (type === 'text') return { kind: 'text' }
  if (type === 'thinking' || type === 'redacted_thinking') return { kind: 'reasoning' }
  if (typeof id === 'string' && typeof name === 'string') {
    if (type === 'tool_use') return { kind: 'toolCall', id, name }
    if (type === 'server_tool_use') return { kind: 'serverTool', id, name, of: 'messages' }
  }
  return { kind: 'opaque', of: 'messages' }
}

/** What a block carries already when it opens: little in a stream, all of it in a body read as one. */
function first({ at, kind, block }: OpenBlock): Event[] {
  if (kind === 'text') return firstText(at, block)
  return kind === 'reasoning' ? firstReasoning(at, block) : []
}

function firstText(at: At, { text, citations }: JsonObject): Event[] {
  const cited = Array.isArray(citations) ? citations : []
  return [
    ...(typeof text === 'string' && text !== '' ? [{ type: 'delta', at, text } as const] : []),
    ...cited.map((citation) => ({ type: 'delta', at, citation }) as const),
  ]
}

function firstReasoning(at: At, { thinking, signature, data }: JsonObject): Event[] {
  if (typeof data === 'string') return [sealDelta(at, sealOfRedacted(data))]
  const events: Event[] = []
  if (typeof thinking === 'string' && thinking !== '') {
    events.push({ type: 'delta', at, text: thinking })
  }
  if (typeof signature === 'string' && signature !== '') {
    events.push(sealDelta(at, readSeal(signature)))
  }
  return events
}

function sealDelta(at: At, { by, value }: Seal): Event {
  return { type: 'delta', at, seal: value, sealBy: by }
}

function input(state: OpenBlock, json: string): Event[] {
  state.begun ||= json !== ''
  // Input of a call goes on at once; it may be long, and keeping it is not needed.
  if (isCall(state)) return json === '' ? [] : [{ type: 'delta', at: state.at, json }]
  state.json += json
  return []
}

function isCall({ kind }: OpenBlock): boolean {
  return kind === 'toolCall' || kind === 'serverTool'
}

/** Tool input that did not come in pieces came with the block, or is the empty object. */
function last(state: OpenBlock): Event[] {
  if (!isCall(state) || state.begun) return []
  return [{ type: 'delta', at: state.at, json: JSON.stringify(state.block.input ?? {}) }]
}

/** Input that is no object that can be read stays the text it is. */
function whole({ kind, block, json }: OpenBlock): { whole?: Json } {
  if (kind !== 'opaque') return {}
  return { whole: json === '' ? block : { ...block, input: toolInput(json) ?? json } }
}

function withoutNulls(raw: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
}
