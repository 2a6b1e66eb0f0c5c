/**
 * The events of a workflow as canonical events. Its nodes write messages, in pieces or whole. Its end writes one too: text, or the outputs
 * as JSON, which repeat what was said before or are the answer themselves.
 */
import type { Event } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { objectOf, parsedObject } from '../../kernel/toolkit/operation/index.js'
import { counts } from './decode.js'
import { failureOfCode } from './fail.js'
import { answerIn } from './outputs.js'
import type { AnswerDecoder } from './read.js'

const at = { choice: 0, part: 0 }

export class WorkflowDecoder implements AnswerDecoder {
  private said = ''
  private over = false
  /** The last message ended, so that the next one begins a paragraph. */
  private isBetween = false
  /** A whole message that is JSON. The outputs, unless another one follows. */
  private held: string | undefined
  private usage: JsonObject | undefined

  /** @param output name of the output that is the answer; absent: all of them */
  constructor(private readonly output?: string) {}

  decode(name: string, data: JsonObject): Event[] {
    if (this.over) return []
    switch (name) {
      case 'Message':
        return this.message(data)
      case 'Interrupt':
        return this.fail(failureOfError({ blame: 'channel' }, 502))
      case 'Error':
        return this.fail(failureOfCode({ code: data.error_code, msg: data.error_message }))
      case 'Done':
        return this.finish()
      default:
        return []
    }
  }

  /** A workflow that was not said to be done was cut off. */
  end(): Event[] {
    return []
  }

  /** The answer ends here, once. */
  fail(failure: Failure = failureOfError({ blame: 'upstream' }, 200)): Event[] {
    if (this.over) return []
    this.over = true
    return [{ type: 'failure', failure }]
  }

  private message({ content, node_seq_id: place, node_is_finish: last, usage }: JsonObject) {
    this.usage = objectOf(usage) ?? this.usage
    const text = typeof content === 'string' ? content : ''
    const before = this.released()
    const isWhole = String(place) === '0' && last === true
    if (isWhole && parsedObject(text) !== undefined) {
      this.held = text
      return before
    }
    const events = [...before, ...this.text(text)]
    this.isBetween = last === true
    return events
  }

  private released(): Event[] {
    const { held } = this
    if (held === undefined) return []
    this.held = undefined
    const events = this.text(held)
    this.isBetween = true
    return events
  }

  private text(text: string): Event[] {
    if (text === '') return []
    const isFirst = this.said === ''
    const more = this.isBetween && !isFirst ? `\n\n${text}` : text
    this.said += more
    const opened: Event[] = isFirst
      ? [{ type: 'start' }, { type: 'open', at, part: { kind: 'text' } }]
      : []
    return [...opened, { type: 'delta', at, text: more }]
  }

  private finish(): Event[] {
    const outputs = this.held === undefined ? undefined : parsedObject(this.held)
    const answer = outputs === undefined ? '' : answerIn(outputs, this.said, this.output)
    this.isBetween = true
    const events = this.text(answer)
    this.over = true
    return [
      ...events,
      this.said === '' ? { type: 'start' } : { type: 'close', at },
      { type: 'stop', choice: 0, reason: 'end', word: 'Done' },
      ...(this.usage === undefined ? [] : [counts(this.usage)]),
      { type: 'end' },
    ]
  }
}
