/**
 * A request whose upstream works asynchronously: its task is submitted, charged and watched as any other, and its results are the
 * answer. Whoever no longer waits leaves the task as it is: it is charged where it succeeds, and paid back where it does not.
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { JsonReply } from '../../../kernel/contract/line/reply.js'
import type { Answered } from '../../../kernel/contract/operation.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { failureOf, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { attemptChain } from '../../../kernel/toolkit/stage/index.js'
import type { TaskRecord, Tasks } from '../../services/tasks/index.js'
import type { Fetcher } from './addressed-media.js'
import { FailureError, garbledReply } from './failure-error.js'
import { asRequested, withBytes } from './operation.js'
import { acceptedTask } from './task.js'

export interface FoldedDependencies extends Fetcher {
  readonly tasks: Pick<Tasks, 'line'>
  readonly relayTimeoutMs: number
  /** Is called as soon as the upstream has accepted the task: nobody else may be sent it from then on. */
  accepted(task: TaskRecord): void
}

export async function openFolded(
  state: Reserved,
  reply: EgressReply,
  { tasks, clock, egress, relayTimeoutMs, cancel, accepted }: FoldedDependencies,
): Promise<JsonReply> {
  const task = await acceptedTask(state, reply, tasks)
  accepted(task)
  const waiting = new AbortController()
  cancel.abort = () => waiting.abort()
  const cancelLimit = clock.after(relayTimeoutMs || limits.headersMs, () => waiting.abort())
  try {
    await charge(state, task, clock)
    const ended = await tasks.line.finished(task.taskId, waiting.signal)
    if (ended === undefined) throw new FailureError(unfinished(task.taskId))
    return await replyOf(state, reply, ended, { egress, clock, cancel })
  } finally {
    cancelLimit()
  }
}

/** The client learns where its task is. */
export function unfinished(taskId: string): Failure {
  const failure = failureOf(new Refusal('task_unfinished', { task: taskId }))
  return { ...failure, blame: 'upstream', status: 504 }
}

/** That the upstream accepted it is what is charged; what the line closes later finds it closed. */
async function charge(state: Reserved, { taskId }: TaskRecord, clock: Clock): Promise<void> {
  const { price, estimate, draft, hold, path, tried, receivedAt } = state
  const { prices, channel, model: requestedModel, upstreamModel } = state
  const durationMs = clock.now() - receivedAt
  await hold.close({
    ...{ quota: price.cost(estimate), delivered: true, outcome: 'complete', usage: estimate },
    ...{ snapshot: price.explain(estimate), draft, durationMs },
    cost: prices.upstreamCost?.(
      { terms: channel.costTerms, requestedModel, upstreamModel },
      estimate,
    ),
    detail: {
      ...{ request_path: path, frt: durationMs, task_id: taskId },
      ...(tried.length > 0 && { attempts: attemptChain(tried) }),
    },
  })
}

async function replyOf(
  state: Reserved,
  { headers }: EgressReply,
  task: TaskRecord,
  fetcher: Fetcher,
): Promise<JsonReply> {
  if (task.state !== 'succeeded') throw failedTask(task)
  const { adapter, body, estimate: usage } = state
  const { taskId: ref, results, raw, createdAt, finishedAt: updatedAt } = task
  const progress = { ref, state: 'succeeded', results, raw, createdAt, updatedAt } as const
  const answer = adapter.folded!(progress, body)
  if ('failure' in answer) throw new FailureError(answer.failure)
  const { type, bytes } = await written(answer, state, fetcher)
  const shared = { status: 200, headers: { ...headers, 'content-type': type }, bytes }
  return { kind: 'json', ...shared, usage, estimatedTokens: 0 }
}

async function written(answer: Answered, state: Reserved, fetcher: Fetcher) {
  if (!('json' in answer)) return withBytes(answer, state, fetcher)
  const given = await asRequested(state, answer.json, fetcher)
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(given)) }
}

function failedTask({ reason }: TaskRecord): FailureError {
  return garbledReply(reason === '' ? 'it gave no reason.' : reason)
}
