/**
 * The events of a bot's answer, one after the other, as canonical events. Only its answer is passed on: calls of the bot's
 * own tools, cards and suggested questions are left out.
 */
import type { Event } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { countOf, objectOf } from '../../kernel/toolkit/operation/index.js'
import { failureOfCode } from './fail.js'
import type { AnswerDecoder } from './read.js'

type Flowing = 'text' | 'reasoning'

export class BotDecoder implements AnswerDecoder {
  private parts = 0
  private flowing: Flowing | undefined
  /** The message whose pieces came last: its whole text is no news. */
  private reported: Json | undefined
  private stopped = false
  private over = false

  decode(name: string, data: JsonObject): Event[] {
    if (this.over) return []
    switch (name) {
      case 'conversation.chat.created':
        return [started(data)]
      case 'conversation.message.delta':
        return this.delta(data)
      case 'conversation.message.completed':
        return data.id === this.reported || data.content_type !== 'text' ? [] : this.delta(data)
      case 'conversation.chat.completed':
        return this.stop(data.usage)
      case 'conversation.chat.failed':
        return this.fail(failureOfCode(objectOf(data.last_error) ?? {}))
      case 'conversation.chat.requires_action':
        return this.fail(failureOfError({ blame: 'channel' }, 502))
      case 'error':
        return this.fail(failureOfCode(data))
      case 'done':
        return this.end()
      default:
        return []
    }
  }

  /** The stream is over. What stopped is complete, even where the last word never came. */
  end(): Event[] {
    if (this.over || !this.stopped) return []
    this.over = true
    return [{ type: 'end' }]
  }

  /** The answer ends here, once. */
  fail(failure: Failure = failureOfError({ blame: 'upstream' }, 200)): Event[] {
    if (this.over) return []
    this.over = true
    return [{ type: 'failure', failure }]
  }

  private delta({ id, type, content, reasoning_content: thought }: JsonObject): Event[] {
    if (type !== 'answer' || this.stopped) return []
    this.reported = id
    return [...this.text('reasoning', thought), ...this.text('text', content)]
  }

  private text(kind: Flowing, text: Json | undefined): Event[] {
    if (typeof text !== 'string' || text === '') return []
    const opened = this.flowing === kind ? [] : this.open(kind)
    return [...opened, { type: 'delta', at: this.at(), text }]
  }

  private open(kind: Flowing): Event[] {
    const closed = this.close()
    this.flowing = kind
    this.parts += 1
    return [...closed, { type: 'open', at: this.at(), part: { kind } }]
  }

  private close(): Event[] {
    if (this.flowing === undefined) return []
    this.flowing = undefined
    return [{ type: 'close', at: this.at() }]
  }

  private stop(reported: Json | undefined): Event[] {
    if (this.stopped) return []
    this.stopped = true
    const usage = objectOf(reported)
    const counted: Event[] = usage === undefined ? [] : [counts(usage)]
    return [
      ...this.close(),
      { type: 'stop', choice: 0, reason: 'end', word: 'completed' },
      ...counted,
    ]
  }

  private at() {
    return { choice: 0, part: this.parts - 1 }
  }
}

function started({ id, created_at: created }: JsonObject): Event {
  return {
    type: 'start',
    ...(typeof id === 'string' && { id }),
    ...(typeof created === 'number' && { created }),
  }
}

export function counts(raw: JsonObject): Event {
  const input = countOf(raw.input_count)
  const output = countOf(raw.output_count)
  const usage = {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
  }
  return { type: 'usage', usage, raw, final: true }
}
