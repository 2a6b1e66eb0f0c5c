/** Tasks as the upstream lists and reports them: songs are several clips, lyrics one text. */
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Progress, TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { objectsOf, present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  listAt,
  numberAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { failureIn } from './answers.js'

const stateOf = stateReader({
  queued: ['NOT_START', 'SUBMITTED', 'QUEUED'],
  running: ['IN_PROGRESS'],
  succeeded: ['SUCCESS'],
  failed: ['FAILURE'],
})

export function readList(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const body = answerObject(answer)
  const failure = failureIn(body)
  if (failure !== undefined) return { failure }
  const wanted = new Set(refs.map(({ ref }) => ref))
  return objectsOf(listAt(body, 'data')).flatMap((task) => {
    const ref = textAt(task, 'task_id')
    return ref !== undefined && wanted.has(ref) ? [progressOf(task, ref)] : []
  })
}

export function progressOf(task: JsonObject, ref: string): Progress {
  const word = textAt(task, 'status')
  const state = stateOf(word ?? null)
  const results = state === 'failed' ? [] : resultsOf(task.data)
  return present({
    ref,
    state,
    word,
    percent: percentOf(task.progress),
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? (textAt(task, 'fail_reason') ?? word) : undefined,
    createdAt: timeOf(task.submit_time),
    updatedAt: timeOf(task.finish_time) ?? timeOf(task.start_time),
    raw: task,
  })
}

/** `50%`. */
function percentOf(progress: Json | undefined): number | undefined {
  const stated = typeof progress === 'string' ? progress.replace('%', '') : progress
  const percent = numberAt({ stated }, 'stated')
  return percent === undefined ? undefined : Math.min(Math.max(Math.round(percent), 0), 100)
}

function resultsOf(data: Json | undefined): readonly TaskResult[] {
  if (isObject(data)) return [...clipOf(data), ...lyricsOf(data)]
  const clips = objectsOf(data)
  return [...clips.flatMap(clipOf), ...clips.flatMap(pictureOf)]
}

/** Its address is known while it is still sung, and plays what there is of it. */
function clipOf(clip: JsonObject): readonly TaskResult[] {
  const url = addressAt(clip, 'audio_url')
  return url === undefined ? [] : [{ type: 'audio', url, meta: factsOf(clip) }]
}

function pictureOf(clip: JsonObject): readonly TaskResult[] {
  const url = addressAt(clip, 'video_url')
  return url === undefined ? [] : [{ type: 'video', url, meta: factsOf(clip) }]
}

function lyricsOf(data: JsonObject): readonly TaskResult[] {
  const text = textAt(data, 'text')
  return text === undefined ? [] : [{ type: 'text', text, meta: factsOf(data) }]
}

function factsOf(clip: JsonObject): JsonObject {
  return present({
    clip_id: textAt(clip, 'clip_id') ?? textAt(clip, 'id'),
    title: textAt(clip, 'title'),
    tags: textAt(clip, 'metadata.tags') ?? textAt(clip, 'tags'),
    duration: numberAt(clip, 'metadata.duration') ?? numberAt(clip, 'duration'),
    cover_url: addressAt(clip, 'image_large_url') ?? addressAt(clip, 'image_url'),
  })
}

function addressAt(clip: JsonObject, field: string): string | undefined {
  const url = textAt(clip, field)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
