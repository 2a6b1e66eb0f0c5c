/** Tasks as the service reports them, in answers to polls and at the address of a request's callback alike. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type {
  Progress,
  Submission,
  TaskCallback,
  TaskQuantities,
  TaskRef,
  TaskResult,
} from '../../../kernel/contract/task.js'
import { objectsOf, present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  listAt,
  numberAt,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { failureIn } from './fail.js'

const stateOf = stateReader({
  queued: ['created', 'queueing'],
  running: ['processing'],
  succeeded: ['success'],
  failed: ['failed', 'canceled', 'cancelled'],
})

export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const ref = refAt(body, 'task_id')
  if (ref === undefined) return { failure: failureIn(body) }
  const { ref: _, ...progress } = progressOf(body, ref)
  return present({ ref, progress, made: acceptedOf(body) })
}

/** The request as it was accepted, defaults filled in. */
function acceptedOf(body: JsonObject): Partial<TaskQuantities> | undefined {
  const second = numberAt(body, 'duration')
  const resolution = textAt(body, 'resolution')
  const counts = second !== undefined && second > 0 ? { second } : undefined
  const dimensions = resolution === undefined ? undefined : { resolution: resolution.toLowerCase() }
  return counts === undefined && dimensions === undefined
    ? undefined
    : present({ counts, dimensions })
}

/** An answer need not name its task: it is of the one in the address. */
export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const body = answerObject(answer)
  if (body.state === undefined) return { failure: failureIn(body) }
  const [task] = refs
  return task === undefined || isOfAnother(body, task.ref) ? [] : [progressOf(body, task.ref)]
}

export function notice({ body }: TaskCallback, { ref }: TaskRef): Progress | undefined {
  const report = answerObject({ status: 200, headers: {}, body })
  if (report.state === undefined || isOfAnother(report, ref)) return undefined
  return progressOf(report, ref)
}

function isOfAnother(task: JsonObject, ref: string): boolean {
  const named = textAt(task, 'task_id') ?? textAt(task, 'id')
  return named !== undefined && named !== ref
}

function progressOf(task: JsonObject, ref: string): Progress {
  const word = textAt(task, 'state')
  const state = stateOf(word ?? null)
  const results = state === 'succeeded' ? creationsOf(task) : []
  return present({
    ref,
    state,
    word,
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? (textAt(task, 'err_code') ?? word) : undefined,
    createdAt: timeOf(task.created_at),
    raw: task,
  })
}

function creationsOf(task: JsonObject): readonly TaskResult[] {
  return objectsOf([...listAt(task, 'creations')]).flatMap((creation) => {
    const url = addressAt(creation, 'url')
    if (url === undefined) return []
    const meta = {
      id: textAt(creation, 'id'),
      cover_url: addressAt(creation, 'cover_url'),
      watermarked_url: addressAt(creation, 'watermarked_url'),
    }
    return [{ type: 'video', url, meta: present(meta) }]
  })
}

function addressAt(creation: JsonObject, field: string): string | undefined {
  const url = textAt(creation, field)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
