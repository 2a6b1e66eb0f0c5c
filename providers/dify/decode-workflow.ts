/**
 * The events of a workflow as canonical events (https://docs.dify.ai/en/api-reference/workflow-runs/run-workflow). Text its end streams
 * is the answer; one that streams none has its outputs for it.
 */
import type { Event } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import { objectOf } from '../../kernel/toolkit/operation/index.js'
import { failed, paused } from './decode.js'
import { failureOfEvent } from './fail.js'
import { answerIn } from './outputs.js'
import type { AnswerDecoder } from './read.js'
import { type Origin, TextParts } from './text-parts.js'
import { WorkflowUsage } from './workflow-usage.js'

/** Some of its nodes failed, and their maker stated what to do then. */
const successes: ReadonlySet<unknown> = new Set(['succeeded', 'partial-succeeded'])

export class WorkflowDecoder implements AnswerDecoder {
  private readonly parts = new TextParts()
  private readonly usage = new WorkflowUsage()
  /** Moderation put another text in the place of the answer. */
  private isReplaced = false

  /** @param output name of the output that is the answer; absent: the likeliest */
  constructor(private readonly output?: string) {}

  decode(event: JsonObject): Event[] {
    if (this.parts.over) return []
    const data = objectOf(event.data) ?? {}
    switch (event.event) {
      case 'workflow_started':
        return this.parts.start(originOf(event, data))
      case 'text_chunk':
        return this.isReplaced ? [] : this.text(event, data)
      case 'text_replace':
        return this.replace(event, data)
      case 'node_finished':
        this.usage.add(data)
        return []
      case 'workflow_finished':
        return this.finish(event, data)
      case 'workflow_paused':
        return this.fail(paused())
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
    const { status } = objectOf(body.data) ?? {}
    if (typeof status !== 'string') return undefined
    return [{ ...body, event: status === 'paused' ? 'workflow_paused' : 'workflow_finished' }]
  }

  private text(event: JsonObject, data: JsonObject): Event[] {
    const { text } = data
    if (typeof text === 'string') this.usage.wrote(text)
    return this.parts.text(originOf(event, data), text)
  }

  private replace(event: JsonObject, data: JsonObject): Event[] {
    const isFirst = this.parts.isEmpty && !this.isReplaced
    this.isReplaced = true
    return isFirst ? this.text(event, data) : []
  }

  private finish(event: JsonObject, data: JsonObject): Event[] {
    if (!successes.has(data.status)) return this.fail(failed())
    const outputs = isObject(data.outputs) ? data.outputs : {}
    const written = this.parts.isEmpty
      ? this.text(event, { ...data, text: answerIn(outputs, this.output) })
      : []
    const stop = this.isReplaced
      ? ({ reason: 'filter', word: 'text_replace' } as const)
      : ({ reason: 'end', word: String(data.status) } as const)
    const counted = this.usage.event(data.total_tokens)
    return [...written, ...this.parts.end(originOf(event, data), stop, counted)]
  }
}

function originOf(
  { workflow_run_id: id }: JsonObject,
  { created_at: created }: JsonObject,
): Origin {
  return { id, created }
}
