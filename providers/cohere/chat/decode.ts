/**
 * The events of a chat, one after the other, as canonical events. Texts and thoughts open with their first piece and
 * stay open until something else begins: citations come late.
 */
import type { Event, OpenPart, Stop } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { failureOfError } from '../../../kernel/toolkit/errors/index.js'
import { objectOf } from '../../../kernel/toolkit/operation/index.js'
import { urlCitations } from './citations.js'
import { readUsage } from './usage.js'

interface OpenBlock {
  readonly part: number
  readonly kind: OpenPart['kind']
  /** Something of it was sent. */
  filled: boolean
}

export class ChatDecoder {
  private block: OpenBlock | undefined
  private parts = 0
  private over = false

  decode(event: JsonObject): Event[] {
    if (this.over) return []
    const delta = objectOf(event.delta) ?? {}
    const message = objectOf(delta.message) ?? {}
    switch (event.type) {
      case 'message-start':
        return [{ type: 'start', ...(typeof event.id === 'string' && { id: event.id }) }]
      case 'content-start':
        return [...this.close(), ...this.content(message.content)]
      case 'content-delta':
        return this.content(message.content)
      case 'tool-plan-delta':
        return this.text('reasoning', message.tool_plan)
      case 'tool-call-start':
        return this.tool(objectOf(message.tool_calls) ?? {})
      case 'tool-call-delta':
        return this.input(objectOf(message.tool_calls) ?? {})
      case 'tool-call-end':
        return this.block?.kind === 'toolCall' ? this.close() : []
      case 'citation-start':
        return this.cite(message.citations)
      case 'message-end':
        return this.end(delta)
      default:
        return this.unknown(event)
    }
  }

  private content(reported: Json | undefined): Event[] {
    const { text, thinking } = objectOf(reported) ?? {}
    return [...this.text('reasoning', thinking), ...this.text('text', text)]
  }

  private text(kind: 'text' | 'reasoning', text: Json | undefined): Event[] {
    if (typeof text !== 'string' || text === '') return []
    const opened = this.block?.kind === kind ? [] : this.open({ kind })
    return [...opened, { type: 'delta', at: this.at(), text }]
  }

  private tool(call: JsonObject): Event[] {
    const { name } = objectOf(call.function) ?? {}
    if (typeof call.id !== 'string' || typeof name !== 'string') return []
    return [...this.open({ kind: 'toolCall', id: call.id, name }), ...this.input(call)]
  }

  private input(call: JsonObject): Event[] {
    const json = objectOf(call.function)?.arguments
    if (typeof json !== 'string' || json === '' || this.block?.kind !== 'toolCall') return []
    this.block.filled = true
    return [{ type: 'delta', at: this.at(), json }]
  }

  private cite(reported: Json | undefined): Event[] {
    if (this.block?.kind !== 'text') return []
    const at = this.at()
    return urlCitations(reported).map((citation) => ({ type: 'delta', at, citation }))
  }

  private end({ finish_reason, usage, error }: JsonObject): Event[] {
    const word = typeof finish_reason === 'string' ? finish_reason : ''
    const status = typeof error === 'string' ? 500 : brokenStatuses[word]
    if (status !== undefined) return this.fail(status)
    this.over = true
    const counted: Event[] = isObject(usage)
      ? [{ type: 'usage', usage: readUsage(usage), raw: usage, final: true }]
      : []
    const reason = stops[word] ?? 'other'
    return [...this.close(), { type: 'stop', choice: 0, reason, word }, ...counted, { type: 'end' }]
  }

  /** An error in the place of an event has `message` and no type. */
  private unknown({ type, message }: JsonObject): Event[] {
    return type === undefined && typeof message === 'string' ? this.fail(500) : []
  }

  /** The answer ends here, once. */
  fail(status: number): Event[] {
    if (this.over) return []
    this.over = true
    const failure = failureOfError({ blame: 'upstream' }, status)
    return [{ type: 'failure', failure }]
  }

  private open(part: OpenPart): Event[] {
    const closed = this.close()
    this.block = { part: this.parts++, kind: part.kind, filled: false }
    return [...closed, { type: 'open', at: this.at(), part }]
  }

  private close(): Event[] {
    if (this.block === undefined) return []
    const { kind, filled } = this.block
    const at = this.at()
    this.block = undefined
    const bare = kind === 'toolCall' && !filled
    return [...(bare ? [{ type: 'delta', at, json: '{}' } as const] : []), { type: 'close', at }]
  }

  private at() {
    return { choice: 0, part: this.block!.part }
  }
}

/** Reasons to end that are no answer, and the statuses they amount to. */
const brokenStatuses: Readonly<Record<string, number>> = { ERROR: 500, TIMEOUT: 504 }

const stops: Readonly<Record<string, Stop>> = {
  COMPLETE: 'end',
  STOP_SEQUENCE: 'stopSequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool',
}
