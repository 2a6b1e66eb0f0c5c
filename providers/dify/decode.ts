/**
 * The events of an app's answer, one after the other, as canonical events. What a workflow does on its way is its own
 * business.
 */
import type { Event, OpenPart } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { countOf, objectOf } from '../../kernel/toolkit/operation/index.js'
import { failureOfEvent } from './fail.js'

export class AppDecoder {
  private started = false
  private parts = 0
  private isTextOpen = false
  /** Moderation put another text in the place of the answer. */
  private isReplaced = false
  private over = false

  decode(event: JsonObject): Event[] {
    if (this.over) return []
    switch (event.event) {
      case 'message':
      case 'agent_message':
        return this.isReplaced ? [] : this.text(event)
      case 'message_replace':
        return this.replace(event)
      case 'message_file':
        return this.file(event)
      case 'workflow_finished':
        return objectOf(event.data)?.status === 'failed' ? this.fail(failed()) : []
      case 'message_end':
        return this.end(event)
      case 'error':
        return this.fail(failureOfEvent(event))
      default:
        return []
    }
  }

  /** The answer ends here, once. */
  fail(failure: Failure = failureOfError({ blame: 'upstream' }, 200)): Event[] {
    if (this.over) return []
    this.over = true
    return [{ type: 'failure', failure }]
  }

  private text(event: JsonObject): Event[] {
    const { answer } = event
    if (typeof answer !== 'string' || answer === '') return []
    const opened = this.isTextOpen ? [] : this.open(event, { kind: 'text' })
    this.isTextOpen = true
    return [...opened, { type: 'delta', at: this.at(), text: answer }]
  }

  /** What was sent cannot be taken back; nothing more of it follows, and the stop holds the reason. */
  private replace(event: JsonObject): Event[] {
    const isFirst = this.parts === 0 && !this.isReplaced
    this.isReplaced = true
    return isFirst ? this.text(event) : []
  }

  private file(event: JsonObject): Event[] {
    const { type, url, belongs_to: owner } = event
    if (type !== 'image' || owner === 'user' || !isAddress(url)) return []
    const opened = [...this.close(), ...this.open(event, { kind: 'media', type: 'image' })]
    return [...opened, { type: 'close', at: this.at(), whole: { url } }]
  }

  private end(event: JsonObject): Event[] {
    this.over = true
    const usage = objectOf(objectOf(event.metadata)?.usage)
    const counted: Event[] = usage === undefined ? [] : [usageEvent(usage)]
    const reason = this.isReplaced ? 'filter' : 'end'
    const word = this.isReplaced ? 'message_replace' : 'message_end'
    return [
      ...this.start(event),
      ...this.close(),
      { type: 'stop', choice: 0, reason, word },
      ...counted,
      { type: 'end' },
    ]
  }

  private start({ message_id: id, created_at: created }: JsonObject): Event[] {
    if (this.started) return []
    this.started = true
    return [
      {
        type: 'start',
        ...(typeof id === 'string' && { id }),
        ...(typeof created === 'number' && { created }),
      },
    ]
  }

  private open(event: JsonObject, part: OpenPart): Event[] {
    this.parts += 1
    return [...this.start(event), { type: 'open', at: this.at(), part }]
  }

  private close(): Event[] {
    if (!this.isTextOpen) return []
    this.isTextOpen = false
    return [{ type: 'close', at: this.at() }]
  }

  private at() {
    return { choice: 0, part: this.parts - 1 }
  }
}

function failed(): Failure {
  return failureOfError({ blame: 'upstream' }, 500)
}

function usageEvent(raw: JsonObject): Event {
  const input = countOf(raw.prompt_tokens)
  const output = countOf(raw.completion_tokens)
  const usage = {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
  }
  return { type: 'usage', usage, raw, final: true }
}

function isAddress(url: Json | undefined): boolean {
  return typeof url === 'string' && /^https?:\/\//.test(url)
}

/** The events of an answer in one piece; undefined: it is none. */
export function asStream(body: JsonObject): readonly JsonObject[] | undefined {
  if (typeof body.answer !== 'string' || !isObject(body.metadata)) return undefined
  return [
    { ...body, event: 'message' },
    { ...body, event: 'message_end' },
  ]
}
