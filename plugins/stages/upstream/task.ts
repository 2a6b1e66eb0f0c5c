/**
 * The answer to the submission of a media task. What the upstream accepted is committed before the client is answered; what it may
 * have accepted is neither sent elsewhere nor forgotten (M7).
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { JsonReply } from '../../../kernel/contract/line/reply.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import type { TaskRecord, Tasks } from '../../services/tasks/index.js'
import { FailureError } from './failure-error.js'

export async function openTask(
  state: Reserved,
  reply: EgressReply,
  tasks: Pick<Tasks, 'line'>,
): Promise<JsonReply> {
  const { dialect, estimate } = state
  const task = await acceptedTask(state, reply, tasks)
  const shown = task as unknown as JsonObject
  const given = dialect === undefined ? shown : dialect.answer(shown)
  return {
    kind: 'json',
    status: 200,
    headers: { ...reply.headers, 'content-type': 'application/json' },
    bytes: Buffer.from(JSON.stringify(given)),
    usage: estimate,
    estimatedTokens: 0,
  }
}

/** The row of what the upstream accepted. */
export async function acceptedTask(
  state: Reserved,
  reply: EgressReply,
  tasks: Pick<Tasks, 'line'>,
): Promise<TaskRecord> {
  const { adapter, wire, upstreamModel, estimate } = state
  const body = await readAll(reply.body, limits.replyBytesMax, state.room)
  const answer = { status: reply.status, headers: reply.headers, body }
  const submission = adapter.submitted!(answer, wire, upstreamModel)
  if ('failure' in submission) throw new RefusedSubmission(submission.failure)
  const { counts = {}, dimensions = {} } = estimate
  return tasks.line.accepted(state, submission, { counts, dimensions })
}

/** The upstream's answer states that it did not accept the task. */
class RefusedSubmission extends FailureError {}

const doubtfulStatuses: ReadonlySet<number> = new Set([408, 502, 504, 520, 522, 524])

/**
 * Whether the upstream may have accepted a task all the same: nothing came back, or nothing that can be read. One that could not be
 * reached, or refused in its own words, did not.
 */
export function isDoubtful({ code, status }: Failure, error: unknown): boolean {
  if (error instanceof RefusedSubmission || code === 'upstream_unreachable') return false
  if (code === 'upstream_timeout' || code === 'upstream_broke_off') return true
  if (code === 'upstream_too_large' || code === 'internal_error') return true
  // Whoever left or stopped did so while the upstream was at work, and what finds no room was sent by one that accepted.
  if (code === 'client_gone' || code === 'shutting_down' || code === 'no_room_for_answer')
    return true
  return doubtfulStatuses.has(status)
}

/** Whether nobody else may be sent the task. What cannot be noted stays where it is: the sweep finds it. */
export async function isLeftInDoubt(
  state: Reserved,
  failure: Failure,
  { services, log }: Pick<Kit<'tasks'>, 'services' | 'log'>,
): Promise<boolean> {
  try {
    return await services.tasks.line.doubtful(state, failure)
  } catch (err) {
    log.error({ err, requestId: state.requestId }, 'a doubtful task could not be noted')
    return true
  }
}
