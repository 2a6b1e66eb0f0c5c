/** Tasks as the service reports them: a state with the id of a file first, the address of the file with the next poll. */

import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Progress, Submission, TaskRef } from '../../../kernel/contract/task.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  numberAt,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { failureIn } from './fail.js'

const stateOf = stateReader({
  queued: ['preparing', 'queueing'],
  running: ['processing'],
  succeeded: ['success'],
  failed: ['fail', 'failed'],
})

export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const failure = failureIn(body)
  if (failure !== undefined) return { failure }
  const ref = refAt(body, 'task_id')
  return ref === undefined ? { failure: garbled() } : { ref }
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const raw = answerObject(answer)
  if (isObject(raw.file)) return fileOf(raw, refs)
  const word = textAt(raw, 'status')
  const named = textAt(raw, 'task_id')
  if (word === undefined || named === undefined) return { failure: failureIn(raw) ?? garbled() }
  const task = refs.find(({ ref }) => ref === named)
  return task === undefined ? [] : [progressOf(raw, word, task)]
}

/** A task that succeeded goes on running until its file has an address. */
function progressOf(raw: JsonObject, word: string, { ref, keep }: TaskRef): Progress {
  const state = stateOf(word)
  if (state === 'failed') return { ref, state, word, reason: reasonOf(raw, word), raw }
  if (state !== 'succeeded') return { ref, state, word, raw }
  const file = refAt(raw, 'file_id')
  if (file === undefined) return { ref, state: 'running', word, raw }
  const frame = { width: numberAt(raw, 'video_width'), height: numberAt(raw, 'video_height') }
  const kept = present({ ...keep, file_id: file, ...frame })
  return { ref, state: 'running', word, keep: kept, again: true, raw }
}

function reasonOf(raw: JsonObject, word: string): string {
  const code = numberAt(raw, 'base_resp.status_code') ?? 0
  return (code === 0 ? undefined : textAt(raw, 'base_resp.status_msg')) ?? word
}

function fileOf(
  raw: JsonObject,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const id = textAt(raw, 'file.file_id')
  const task = refs.find(({ keep }) => textAt(keep, 'file_id') === id)
  const url = textAt(raw, 'file.download_url') ?? ''
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return { failure: failureIn(raw) ?? garbled() }
  }
  if (task === undefined || id === undefined) return []
  const { width, height } = task.keep
  const progress: Progress = present({
    ref: task.ref,
    state: 'succeeded',
    percent: 100,
    results: [{ type: 'video', url, meta: present({ width, height }) }],
    updatedAt: timeOf(numberAt(raw, 'file.created_at')),
    raw,
  })
  return [progress]
}
