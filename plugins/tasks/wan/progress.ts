/** Tasks as the service reports them, with what it bills. */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type {
  Progress,
  Submission,
  TaskQuantities,
  TaskRef,
  TaskResult,
} from '../../../kernel/contract/task.js'
import { failureOfError, garbled, statusIn } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  numberAt,
  quantities,
  refAt,
  stateReader,
  textAt,
} from '../../../kernel/toolkit/task/index.js'
import { fieldsOf } from './fail.js'
import { resolutionIn } from './quantities.js'

/** `UNKNOWN` is a word of the service's own: of tasks it does not have, or not yet. */
const stateOf = stateReader({
  queued: ['pending', 'suspended'],
  running: ['running'],
  succeeded: ['succeeded'],
  failed: ['failed', 'canceled'],
})

export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const ref = refAt(body, 'output.task_id')
  return ref === undefined ? { failure: failureIn(body) } : { ref }
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  return readTasks(answer, refs, { results: clipsOf, made: madeOf })
}

/** What a task that succeeded made, by the kind of it. */
interface Making {
  results(raw: JsonObject): readonly TaskResult[]
  made(raw: JsonObject): Progress['made']
}

export function readTasks(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
  making: Making,
): readonly Progress[] | { readonly failure: Failure } {
  const raw = answerObject(answer)
  const named = textAt(raw, 'output.task_id')
  const word = textAt(raw, 'output.task_status')
  if (named === undefined || word === undefined) return { failure: failureIn(raw) }
  const task = refs.find(({ ref }) => ref === named)
  return task === undefined ? [] : [progressOf(raw, { word, ref: named, making })]
}

function failureIn(body: JsonObject): Failure {
  const fields = textAt(body, 'code') === undefined ? undefined : fieldsOf(body)
  return fields === undefined ? garbled() : failureOfError(fields, statusIn(body, fields))
}

function progressOf(
  raw: JsonObject,
  { word, ref, making }: { readonly word: string; readonly ref: string; readonly making: Making },
): Progress {
  const state = stateOf(word)
  const results = state === 'succeeded' ? making.results(raw) : []
  return present({
    ref,
    state,
    word,
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? reasonOf(raw, word) : undefined,
    made: state === 'succeeded' ? making.made(raw) : undefined,
    raw,
  })
}

function clipsOf(raw: JsonObject): readonly TaskResult[] {
  const url = textAt(raw, 'output.video_url') ?? textAt(raw, 'output.results.video_url') ?? ''
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return []
  const meta = present({ actual_prompt: textAt(raw, 'output.actual_prompt') })
  return [{ type: 'video', url, meta }]
}

function reasonOf(raw: JsonObject, word: string): string {
  return textAt(raw, 'output.message') ?? textAt(raw, 'output.code') ?? word
}

/** Of clips made of others the billed length is that of both. */
function madeOf(raw: JsonObject): Partial<TaskQuantities> | undefined {
  const second = ['duration', 'video_duration', 'output_video_duration']
    .map((name) => numberAt(raw, `usage.${name}`))
    .find((seconds) => seconds !== undefined && seconds > 0)
  const lines = numberAt(raw, 'usage.SR')
  const size = textAt(raw, 'usage.size')
  const resolution = lines !== undefined && lines > 0 ? `${lines}p` : resolutionIn(size)
  const made = quantities({ second }, { resolution })
  const isEmpty = second === undefined && resolution === undefined
  return isEmpty ? undefined : made
}
