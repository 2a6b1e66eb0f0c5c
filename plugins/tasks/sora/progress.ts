/** Tasks as the service reports them. */

import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { Progress, Submission, TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { failureOfError, garbled } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  numberAt,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { contentUrl } from './calls.js'
import { fieldsOf } from './fail.js'
import { type Clip, clipQuantities, statedOf } from './quantities.js'

const stateOf = stateReader({
  queued: ['queued', 'pending', 'submitted'],
  running: ['in_progress', 'processing', 'running'],
  succeeded: ['completed', 'succeeded', 'success'],
  failed: ['failed', 'cancelled', 'canceled'],
})

/** Length and size are kept for a remix, whose request names neither. */
export function submitted(
  answer: WholeAnswer,
  _wire: Body,
): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const ref = refAt(body, 'id') ?? refAt(body, 'task_id')
  if (ref === undefined) return { failure: failureIn(body) }
  const { ref: _, ...progress } = progressOf(body, ref)
  const stated = statedOf(body)
  const made = Object.keys(stated).length === 0 ? undefined : clipQuantities(stated)
  return present({ ref, keep: keptOf(stated), progress, made })
}

/** A size of more than a few characters is none. */
function keptOf({ seconds, size = '' }: Clip): JsonObject {
  return present({ seconds, size: size === '' || size.length > 64 ? undefined : size })
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
  channel: ChannelView,
): readonly Progress[] | { readonly failure: Failure } {
  const body = answerObject(answer)
  const named = textAt(body, 'id') ?? textAt(body, 'task_id')
  if (named === undefined) return { failure: failureIn(body) }
  const found = refs.find(({ ref }) => ref === named)
  return found === undefined ? [] : [progressOf(body, named, channel)]
}

/** A 404 that names the clip; one that does not may be about the address of the channel. */
export function readRefusal(answer: WholeAnswer, { ref }: TaskRef): Progress | undefined {
  if (answer.status !== 404) return undefined
  const raw = answerObject(answer)
  const message = fieldsOf(raw)?.message ?? ''
  if (!isObject(raw.error) || !message.includes(ref)) return undefined
  return { ref, state: 'failed', reason: 'The upstream no longer has this task.', raw }
}

/** An answer without a task: an error in its place, or nothing that can be read. */
function failureIn(body: JsonObject): Failure {
  return isObject(body.error)
    ? failureOfError({ ...fieldsOf(body), blame: 'upstream' }, 200)
    : garbled()
}

function progressOf(task: JsonObject, ref: string, channel?: ChannelView): Progress {
  const word = textAt(task, 'status')
  const state = stateOf(word ?? null)
  const isDone = state === 'succeeded' && channel !== undefined
  return present({
    ref,
    state,
    word,
    percent: percentOf(task),
    results: isDone ? [clip(ref, task, channel)] : undefined,
    reason: state === 'failed' ? reasonOf(task) : undefined,
    made: state === 'succeeded' ? madeOf(task) : undefined,
    createdAt: timeOf(task.created_at),
    updatedAt: timeOf(task.completed_at),
    raw: task,
  })
}

function percentOf(task: JsonObject): number | undefined {
  const percent = numberAt(task, 'progress')
  return percent === undefined ? undefined : Math.min(Math.max(percent, 0), 100)
}

function clip(ref: string, task: JsonObject, channel: ChannelView): TaskResult {
  const meta = present({
    seconds: numberAt(task, 'seconds'),
    size: textAt(task, 'size'),
    expires_at: numberAt(task, 'expires_at'),
  })
  return { type: 'video', url: contentUrl(ref, channel), keyed: true, meta }
}

function reasonOf(task: JsonObject): string {
  return (
    textAt(task, 'error.message') ??
    textAt(task, 'error.code') ??
    textAt(task, 'error') ??
    'The upstream gave no reason.'
  )
}

function madeOf(task: JsonObject) {
  const stated = statedOf(task)
  return Object.keys(stated).length === 0 ? undefined : clipQuantities(stated)
}
