/**
 * The stream's own events, one after the other, as canonical events: items are distinguished by their position in the
 * answer, every part that opens closes, and nothing follows the end.
 */
import type { Event, Stop } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { CallDecoder, type ItemDecoder } from './decode-item.js'
import { MessageDecoder } from './decode-message.js'
import { ReasoningDecoder } from './decode-reasoning.js'
import { failureIn } from './failure.js'
import { defined, numberOf, objectOf, objectsOf, textOf } from './fields.js'
import { responseNote } from './item-notes.js'
import { isClientCall } from './items.js'
import { ServerTools } from './server-tools.js'
import { findUsage } from './usage.js'

interface OpenItem {
  readonly decoder: ItemDecoder
  readonly item: JsonObject
}

/** Events that end an answer, be it incomplete. */
export const endings: ReadonlySet<Json | undefined> = new Set([
  'response.completed',
  'response.incomplete',
  'response.cancelled',
])

export class EventDecoder {
  private readonly items = new Map<Json | undefined, OpenItem>()
  private readonly tools = new ServerTools()
  private parts = 0
  private started = false
  private anyItem = false
  private calledClient = false
  private over = false

  decode(wire: JsonObject): Event[] {
    if (this.over) return []
    switch (wire.type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.start(objectOf(wire.response) ?? {})
      case 'response.output_item.added':
        return [...this.start(), ...this.open(wire.output_index, objectOf(wire.item) ?? {})]
      case 'response.output_item.done':
        return [...this.start(), ...this.close(wire.output_index, objectOf(wire.item) ?? {})]
      case 'response.failed':
      case 'error':
        return this.fail(wire)
      default:
        return endings.has(wire.type) ? this.end(wire) : this.inside(wire)
    }
  }

  private start(response?: JsonObject): Event[] {
    if (this.started) return []
    this.started = true
    const { id, model, created_at } = response ?? {}
    const event: Event = defined({
      type: 'start',
      id: textOf(id),
      model: textOf(model),
      created: numberOf(created_at),
    })
    if (response === undefined) return [event]
    this.tools.offered(response)
    return [event, responseNote(response, false)]
  }

  private open(index: Json | undefined, item: JsonObject): Event[] {
    const earlier = this.items.get(index)
    const closed = earlier === undefined ? [] : this.close(index, earlier.item)
    const decoder = this.decoderOf(item)
    this.items.set(index, { decoder, item })
    this.anyItem = true
    this.calledClient ||= isClientCall(item)
    return [...closed, ...decoder.begin()]
  }

  private decoderOf(item: JsonObject): ItemDecoder {
    if (item.type === 'message') return new MessageDecoder(item, () => this.parts++)
    const part = this.parts++
    return item.type === 'reasoning'
      ? new ReasoningDecoder(item, part)
      : new CallDecoder(item, part)
  }

  private close(index: Json | undefined, item: JsonObject): Event[] {
    const opened = this.items.has(index) ? [] : this.open(index, item)
    const { decoder } = this.items.get(index)!
    this.items.delete(index)
    this.tools.note(item)
    return [...opened, ...decoder.finish(item)]
  }

  private inside(wire: JsonObject): Event[] {
    const known = this.items.get(wire.output_index)?.decoder.take(wire)
    return known ?? [{ type: 'note', of: 'responses', raw: wire }]
  }

  private end(wire: JsonObject): Event[] {
    const response = objectOf(wire.response) ?? {}
    if (response.status === 'failed') return this.fail(wire)
    const events = [...this.start(response), ...this.rest(response)]
    this.tools.offered(response)
    this.tools.called(response)
    events.push(this.stop(wire.type, response))
    const reading = findUsage(response, this.tools.counts)
    if (reading !== undefined) events.push({ type: 'usage', ...reading, final: true })
    events.push(responseNote(response, true), { type: 'end' })
    this.over = true
    return events
  }

  /** What is still open closes; an answer that did not come in pieces is read where it stands whole. */
  private rest({ output }: JsonObject): Event[] {
    const reported = objectsOf(output)
    const open = [...this.items].flatMap(([index, { item }]) =>
      this.close(index, reported[Number(index)] ?? item),
    )
    return this.anyItem ? open : reported.flatMap((item, index) => this.close(index, item))
  }

  private stop(type: Json | undefined, { status, incomplete_details }: JsonObject): Event {
    const reported = textOf(status) ?? String(type).slice('response.'.length)
    if (reported === 'completed') {
      const reason = this.calledClient ? 'tool' : 'end'
      return { type: 'stop', choice: 0, reason, word: reported }
    }
    const word = textOf(objectOf(incomplete_details)?.reason) ?? reported
    return { type: 'stop', choice: 0, reason: reasonOf(word), word }
  }

  private fail(wire: JsonObject): Event[] {
    this.over = true
    return [{ type: 'failure', failure: failureIn(wire) }]
  }
}

function reasonOf(word: string): Stop {
  if (word === 'max_output_tokens') return 'length'
  return word === 'content_filter' ? 'filter' : 'other'
}
