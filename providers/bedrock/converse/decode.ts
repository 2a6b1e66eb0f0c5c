/**
 * The events of a Converse stream, one after the other, as canonical events. Text and reasoning open with their first
 * piece, tools with an event of their own; what the answer cost comes last, and with it the end.
 */
import type { Event, OpenPart, Stop } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { schemaToolName } from './schema-tool.js'
import { readUsage } from './usage.js'

interface OpenBlock {
  readonly part: number
  readonly kind: OpenPart['kind']
  /** Something of it was sent. */
  filled: boolean
  /** It is the input of the tool that stands for an answer. */
  readonly answers: boolean
}

export class ConverseDecoder {
  private readonly blocks = new Map<Json | undefined, OpenBlock>()
  private parts = 0
  private stopped = false
  private over = false
  private answersByTool = false

  decode(name: string, event: JsonObject): Event[] {
    if (this.over) return []
    switch (name) {
      case 'messageStart':
        return [{ type: 'start' }]
      case 'contentBlockStart':
        return this.start(event)
      case 'contentBlockDelta':
        return this.delta(event)
      case 'contentBlockStop':
        return this.close(event.contentBlockIndex)
      case 'messageStop':
        return this.stop(event.stopReason)
      case 'metadata':
        return this.count(event.usage)
      default:
        return []
    }
  }

  /** The upstream closed. A stream that stopped is complete, even where its counts never came. */
  end(): Event[] {
    if (this.over || !this.stopped) return []
    this.over = true
    return [{ type: 'end' }]
  }

  private start({ contentBlockIndex: index, start }: JsonObject): Event[] {
    const toolUse = isObject(start) ? start.toolUse : undefined
    if (!isObject(toolUse)) return []
    const { toolUseId: id, name } = toolUse
    if (name === schemaToolName) return this.open(index, { kind: 'text' }, true)
    if (typeof id !== 'string' || typeof name !== 'string') return []
    return this.open(index, { kind: 'toolCall', id, name })
  }

  private delta({ contentBlockIndex: index, delta }: JsonObject): Event[] {
    if (!isObject(delta)) return []
    const { text, toolUse, reasoningContent: reasoning } = delta
    if (typeof text === 'string') return this.text(index, 'text', text)
    if (isObject(reasoning) && typeof reasoning.text === 'string') {
      return this.text(index, 'reasoning', reasoning.text)
    }
    const json = isObject(toolUse) ? toolUse.input : undefined
    const block = this.blocks.get(index)
    if (typeof json !== 'string' || json === '' || block === undefined) return []
    if (block.answers) return this.text(index, 'text', json)
    if (block.kind !== 'toolCall') return []
    block.filled = true
    return [{ type: 'delta', at: { choice: 0, part: block.part }, json }]
  }

  private text(index: Json | undefined, kind: 'text' | 'reasoning', text: string): Event[] {
    if (text === '') return []
    const opened = this.blocks.get(index)?.kind === kind ? [] : this.open(index, { kind })
    const { part } = this.blocks.get(index)!
    return [...opened, { type: 'delta', at: { choice: 0, part }, text }]
  }

  private open(index: Json | undefined, part: OpenPart, answers = false): Event[] {
    const closed = this.close(index)
    const at = { choice: 0, part: this.parts++ }
    this.answersByTool ||= answers
    this.blocks.set(index, { part: at.part, kind: part.kind, filled: false, answers })
    return [...closed, { type: 'open', at, part }]
  }

  private close(index: Json | undefined): Event[] {
    const block = this.blocks.get(index)
    if (block === undefined) return []
    this.blocks.delete(index)
    const at = { choice: 0, part: block.part }
    const bare = block.kind === 'toolCall' && !block.filled
    return [...(bare ? [{ type: 'delta', at, json: '{}' } as const] : []), { type: 'close', at }]
  }

  private stop(stopReason: Json | undefined): Event[] {
    if (this.stopped) return []
    this.stopped = true
    const word = typeof stopReason === 'string' ? stopReason : ''
    const closed = [...this.blocks.keys()].flatMap((index) => this.close(index))
    const isAnswer = this.answersByTool && word === 'tool_use'
    const reason = isAnswer ? 'end' : stopOf(word)
    return [...closed, { type: 'stop', choice: 0, reason, word }]
  }

  private count(usage: Json | undefined): Event[] {
    const counted: Event[] = isObject(usage)
      ? [{ type: 'usage', usage: readUsage(usage), raw: usage, final: true }]
      : []
    return [...counted, ...this.end()]
  }
}

function stopOf(word: string): Stop {
  return Object.hasOwn(stops, word) ? stops[word]! : 'other'
}

const stops: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  stop_sequence: 'stopSequence',
  max_tokens: 'length',
  tool_use: 'tool',
  guardrail_intervened: 'filter',
  content_filtered: 'filter',
  malformed_tool_use: 'malformedTool',
  model_context_window_exceeded: 'context',
}
