/** A prediction as the service reports it: where it stands, what it made, or why it made nothing. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type { Progress, Submission, TaskRef, TaskResult } from '../../kernel/contract/task.js'
import { failureOfError, garbled } from '../../kernel/toolkit/errors/index.js'
import { present } from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import {
  answerObject,
  dataUrl,
  quantities,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../kernel/toolkit/task/index.js'

const stateOf = stateReader({
  queued: ['starting', 'queued'],
  running: ['processing', 'running'],
  succeeded: ['succeeded'],
  failed: ['failed', 'canceled', 'aborted'],
})

/** What a safety filter stops at once is the request's fault, and no task. */
export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const reported = answerObject(answer)
  const ref = refAt(reported, 'id')
  if (ref === undefined) return { failure: garbled() }
  const progress = progressOf(reported)
  if (progress.state === 'failed' && progress.reason !== undefined) {
    return { failure: failureOfError({ message: progress.reason, blame: 'client' }, 400) }
  }
  const hasEnded = progress.state === 'succeeded' || progress.state === 'failed'
  return { ref, progress: { ...progress, ...(hasEnded && { again: true }) } }
}

export function readPrediction(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const reported = answerObject(answer)
  const named = refAt(reported, 'id')
  if (named === undefined || textAt(reported, 'status') === undefined) return { failure: garbled() }
  const task = refs.find(({ ref }) => ref === named)
  return task === undefined ? [] : [{ ref: named, ...progressOf(reported) }]
}

function progressOf(reported: JsonObject): Omit<Progress, 'ref'> {
  const word = textAt(reported, 'status')
  const state = stateOf(word)
  const results = state === 'succeeded' ? picturesIn(reported.output) : []
  return present({
    ...{ state, word },
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? reasonOf(reported.error) : undefined,
    made: state === 'succeeded' ? quantities({ piece: results.length }) : undefined,
    createdAt: timeOf(reported.created_at),
    updatedAt: timeOf(reported.completed_at),
    raw: present({ status: word, metrics: reported.metrics }),
  })
}

/** Some models answer with one, some with several, some with an object of them. */
function picturesIn(output: Json | undefined): readonly TaskResult[] {
  const items = isObject(output) ? Object.values(output) : [output ?? null].flat()
  return items.flatMap((item) => (typeof item === 'string' ? pictureOf(item) : []))
}

function pictureOf(item: string): readonly TaskResult[] {
  if (dataUrl(item) !== undefined) return [{ type: 'image', data: item }]
  if (!/^https?:\/\//i.test(item) || !URL.canParse(item)) return []
  return [{ type: 'image', url: item }]
}

const aboutPrompt = /nsfw|safety|sensitive|flagged|moderat|content policy|E005/i

/** Words that are not about the prompt are of programs, and of no use to a client. */
function reasonOf(error: Json | undefined): string | undefined {
  return typeof error === 'string' && aboutPrompt.test(error) ? error : undefined
}

/** What came as its bytes has an address of the gateway as well. */
export function folded(
  { results = [], updatedAt = 0 }: Progress,
  requested: Body,
): Answered | { readonly failure: Failure } {
  const wantsBytes = jsonOf(requested).response_format === 'b64_json'
  const data = results.flatMap((result) => writtenAs(result, wantsBytes))
  if (data.length === 0) return { failure: garbled() }
  return { json: { created: Math.floor(updatedAt / 1000), data } }
}

function writtenAs({ url, data }: TaskResult, wantsBytes: boolean): readonly JsonObject[] {
  if (data !== undefined && (wantsBytes || url === undefined)) {
    return [{ b64_json: data.slice(data.indexOf(',') + 1) }]
  }
  return url === undefined ? [] : [{ url }]
}
