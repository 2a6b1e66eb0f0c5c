/**
 * Canonical events as the stream's own, one block open at a time. The head waits for the first content, since it
 * carries the counts of the prompt; reasoning and opaque parts wait until it is known what block they are.
 */
import type { Event, OpenPart, Usage } from '../../../kernel/contract/event.js'
import type { Reader } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { isOwnCitation } from './encode-content.js'
import { redactedData, type Seal, writeSeal } from './seal.js'
import { writeStop } from './stop.js'
import { mergeUsage, writeUsage } from './usage.js'

type Of<K extends Event['type']> = Extract<Event, { type: K }>

interface OpenBlock {
  readonly part: OpenPart
  /** The client has seen this block begin. */
  begun: boolean
  seal?: Seal
}

export class EventEncoder {
  private head: Of<'start'> = { type: 'start' }
  private begun = false
  private index = 0
  private block: OpenBlock | undefined
  private usage: Usage = {}
  private stop: Of<'stop'> | undefined

  constructor(private readonly call: Pick<Reader, 'model' | 'requestId'>) {}

  encode(event: Event): JsonObject[] {
    if ('at' in event && event.at.choice !== 0) return []
    switch (event.type) {
      case 'start':
        this.head = event
        return []
      case 'usage':
        this.usage = mergeUsage(this.usage, event.usage)
        return []
      case 'open':
        return [...this.begin(), ...this.open(event.part)]
      case 'delta':
        return this.delta(event)
      case 'close':
        return this.close(event.whole)
      case 'stop':
        if (event.choice === 0) this.stop = event
        return []
      case 'note':
        return event.of === 'messages' && isObject(event.raw) ? [...this.begin(), event.raw] : []
      case 'end':
        return [...this.begin(), ...this.end()]
      case 'failure':
        return []
    }
  }

  private begin(): JsonObject[] {
    if (this.begun) return []
    this.begun = true
    const message = {
      id: this.head.id ?? mintId('msg_', this.call.model, this.call.requestId ?? ''),
      type: 'message',
      role: 'assistant',
      model: this.call.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(this.usage),
    }
    return [{ type: 'message_start', message }]
  }

  private open(part: OpenPart): JsonObject[] {
    const block: OpenBlock = { part, begun: false }
    this.block = block
    const content = firstContent(part)
    return content === undefined ? [] : this.startBlock(block, content)
  }

  private startBlock(block: OpenBlock, content_block: JsonObject): JsonObject[] {
    block.begun = true
    return [{ type: 'content_block_start', index: this.index, content_block }]
  }

  private delta({ text, json, citation, seal, sealBy }: Of<'delta'>): JsonObject[] {
    const { block } = this
    if (block === undefined) return []
    if (seal !== undefined) {
      block.seal = { by: sealBy ?? 'messages', value: (block.seal?.value ?? '') + seal }
    }
    if (block.part.kind === 'reasoning') return this.reason(block, text)
    if (!block.begun) return []
    const deltas: JsonObject[] = []
    if (text) deltas.push({ type: 'text_delta', text })
    if (json) deltas.push({ type: 'input_json_delta', partial_json: json })
    if (citation !== undefined && isOwnCitation(citation)) {
      deltas.push({ type: 'citations_delta', citation })
    }
    return deltas.map((delta) => this.blockDelta(delta))
  }

  private reason(block: OpenBlock, thinking = ''): JsonObject[] {
    if (thinking === '') return []
    const started = block.begun ? [] : this.startBlock(block, emptyThinking)
    return [...started, this.blockDelta({ type: 'thinking_delta', thinking })]
  }

  private close(whole: Json | undefined): JsonObject[] {
    const { block } = this
    if (block === undefined) return []
    this.block = undefined
    const last = block.part.kind === 'reasoning' ? this.sealed(block) : this.late(block, whole)
    return block.begun ? [...last, { type: 'content_block_stop', index: this.index++ }] : []
  }

  /** The signature comes last in a block. Reasoning may consist of its seal alone. */
  private sealed(block: OpenBlock): JsonObject[] {
    const { seal } = block
    if (seal === undefined) return []
    const data = redactedData(seal)
    if (data !== undefined) {
      return block.begun ? [] : this.startBlock(block, { type: 'redacted_thinking', data })
    }
    const started = block.begun ? [] : this.startBlock(block, emptyThinking)
    return [...started, this.blockDelta({ type: 'signature_delta', signature: writeSeal(seal) })]
  }

  private late(block: OpenBlock, whole: Json | undefined): JsonObject[] {
    const { part, begun } = block
    const own = part.kind === 'opaque' && part.of === 'messages'
    return !begun && own && isObject(whole) ? this.startBlock(block, whole) : []
  }

  private blockDelta(delta: JsonObject): JsonObject {
    return { type: 'content_block_delta', index: this.index, delta }
  }

  private end(): JsonObject[] {
    const { reason = 'end', sequence = null } = this.stop ?? {}
    const delta = { stop_reason: writeStop(reason), stop_sequence: sequence }
    return [
      { type: 'message_delta', delta, usage: writeUsage(this.usage) },
      { type: 'message_stop' },
    ]
  }
}

const emptyThinking = { type: 'thinking', thinking: '', signature: '' }

/** How a block begins where its kind is enough; the others wait for more, or have no block here. */
function firstContent(part: OpenPart): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: '' }
    case 'toolCall':
      return { type: 'tool_use', id: part.id, name: part.name, input: {} }
    case 'serverTool':
      return part.of === 'messages'
        ? { type: 'server_tool_use', id: part.id, name: part.name, input: {} }
        : undefined
    default:
      return undefined
  }
}
