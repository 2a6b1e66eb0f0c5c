/**
 * The events of an app's answer, one after the other, as canonical events. What a workflow does on its way is its own
 * business.
 */
import type { Event } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { countOf, objectOf } from '../../kernel/toolkit/operation/index.js'
import { failureOfEvent } from './fail.js'
import type { AnswerDecoder } from './read.js'
import { type Origin, TextParts } from './text-parts.js'

export class AppDecoder implements AnswerDecoder {
  private readonly parts = new TextParts()
  /** Moderation put another text in the place of the answer. */
  private isReplaced = false

  decode(event: JsonObject): Event[] {
    if (this.parts.over) return []
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
      case 'workflow_paused':
        return this.fail(paused())
      case 'message_end':
        return this.end(event)
      case 'error':
        return this.fail(failureOfEvent(event))
      default:
        return []
    }
  }

  fail(failure?: Failure): Event[] {
    return this.parts.fail(failure)
  }

  asStream(body: JsonObject): readonly JsonObject[] | undefined {
    if (typeof body.answer !== 'string' || !isObject(body.metadata)) return undefined
    return [
      { ...body, event: 'message' },
      { ...body, event: 'message_end' },
    ]
  }

  private text(event: JsonObject): Event[] {
    return this.parts.text(originOf(event), event.answer)
  }

  /** What was sent cannot be taken back; nothing more of it follows, and the stop holds the reason. */
  private replace(event: JsonObject): Event[] {
    const isFirst = this.parts.isEmpty && !this.isReplaced
    this.isReplaced = true
    return isFirst ? this.text(event) : []
  }

  private file(event: JsonObject): Event[] {
    const { type, url, belongs_to: owner } = event
    if (type !== 'image' || owner === 'user' || !isAddress(url)) return []
    return this.parts.picture(originOf(event), url)
  }

  private end(event: JsonObject): Event[] {
    const usage = objectOf(objectOf(event.metadata)?.usage)
    const counted: Event[] = usage === undefined ? [] : [usageEvent(usage)]
    const stop = this.isReplaced
      ? ({ reason: 'filter', word: 'message_replace' } as const)
      : ({ reason: 'end', word: 'message_end' } as const)
    return this.parts.end(originOf(event), stop, counted)
  }
}

function originOf({ message_id: id, created_at: created }: JsonObject): Origin {
  return { id, created }
}

export function failed(): Failure {
  return failureOfError({ blame: 'upstream' }, 500)
}

/** It waits for a person to fill in a form, which no client can: another channel may do better. */
export function paused(): Failure {
  return failureOfError({ blame: 'channel' }, 502)
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

function isAddress(url: Json | undefined): url is string {
  return typeof url === 'string' && /^https?:\/\//.test(url)
}
