/** What the stages of the line commit of a task: before its money, before the call, and before the client is answered (M7). */

import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Clock, Log, Settings } from '../../../kernel/contract/kit.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type { Submission, TaskQuantities } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { isUnavailable } from '../../../kernel/toolkit/service/index.js'
import { isFolded } from '../../../kernel/toolkit/stage/index.js'
import type { Channels } from '../channels/index.js'
import type { Ledger } from '../ledger/index.js'
import { deltaIsOff } from './delta.js'
import { keptMade } from './kept-made.js'
import { wholeResult } from './kept-results.js'
import { keptAnswer, keptReason, keptRequest, keptWord } from './kept-text.js'
import { patiently } from './patience.js'
import { callbackPlace } from './reports.js'
import {
  type AddressOf,
  isTaskId,
  noteState,
  recordOf,
  refOf,
  type TaskRow,
  taskIdOf,
  tasksOf,
} from './rows.js'
import { storedJson, storedKeep } from './stored-json.js'
import type { TaskLine, TaskRecord } from './tasks.js'
import type { Waiting } from './waiting.js'

export interface LineDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly channels: Pick<Channels, 'get'>
  readonly secrets: Pick<SecretBox, 'seal'>
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly addressOf: AddressOf
  readonly ledger: Pick<Ledger, 'tasks'>
  readonly waiting: Pick<Waiting, 'ended'>
  callbackUrl(taskId: string): string | undefined
  /** Tells root of what may have been lost. */
  alert(
    row: Pick<TaskRow, 'task_id' | 'channel_id'>,
    reason: string,
    trx: Knex.Transaction,
  ): Promise<void>
}

/** After what the upstream has accepted is known, and before its first poll, unless that is due at once. */
const firstPollMs = 3_000
/** How long a doubtful task waits for a report of its upstream. */
export const doubtMs = 3_600_000
/** Characters of an upstream's id. */
const refMax = 1_024

export function createLine(dependencies: LineDependencies): TaskLine {
  const { clock, log } = dependencies
  const { knex } = dependencies.database
  const now = () => new Date(clock.now())
  /** Doubts that could not be noted, by their requests: such a task is never taken for one that was refused. */
  const unnoted = new Map<string, string>()

  async function accept(
    state: Reserved,
    submission: Submission,
    requested: TaskQuantities,
  ): Promise<TaskRow> {
    const at = now()
    const values = acceptedValues(state, submission, requested, dependencies)
    return knex.transaction(async (trx) => {
      const [row] = await tasksOf(trx)
        .where({ request_id: state.requestId, state: 'submitting' })
        .update({ ...values, accepted_at: at, updated_at: at } as never)
        .returning<TaskRow[]>('*')
      if (row === undefined) return acceptedBefore(trx, state.requestId, values.upstream_ref)
      await noteState(trx, row, at)
      return row
    })
  }

  /** A try before may have been committed although its connection broke. */
  async function acceptedBefore(trx: Knex, requestId: string, ref: string): Promise<TaskRow> {
    const row = await tasksOf(trx)
      .where({ request_id: requestId, upstream_ref: ref } as never)
      .first<TaskRow | undefined>()
    if (row === undefined) throw new Error(`the row of the task of ${requestId} is gone`)
    return row
  }

  async function leaveInDoubt(requestId: string, reason: string): Promise<boolean> {
    const at = now()
    return knex.transaction(async (trx) => {
      const [left] = await tasksOf(trx)
        .where({ request_id: requestId, state: 'submitting' } as never)
        .whereNotNull('sent_at')
        .update({
          ...{ state: 'unknown', reason, billing: 'final', cost: 0, charged: 0, updated_at: at },
          deadline_at: new Date(clock.now() + doubtMs),
        } as never)
        .returning<TaskRow[]>(['id', 'task_id', 'channel_id', 'state', 'word', 'reason'])
      if (left === undefined) return isElsewhere(trx, requestId)
      await noteState(trx, left, at)
      await dependencies.alert(left, reason, trx)
      return true
    })
  }

  async function leaveRefused(requestId: string, reason: string): Promise<void> {
    const at = now()
    await knex.transaction(async (trx) => {
      const [row] = await tasksOf(trx)
        .where({ request_id: requestId, state: 'submitting' } as never)
        .update({
          ...{ state: 'failed', reason: keptReason(reason), billing: 'final', cost: 0 },
          ...{ charged: 0, finished_at: at, updated_at: at },
        } as never)
        .returning<TaskRow[]>(['id', 'state', 'word', 'reason'])
      if (row !== undefined) await noteState(trx, row, at)
    })
  }

  return {
    async begin(state) {
      const { rows } = await unsent(
        knex.raw('SELECT task_begin(?, ?, ?, ?, ?) AS verdict', [
          storedJson(newFields(state, dependencies)),
          dependencies.settings.number('underWayPerUser'),
          dependencies.settings.number('underWayPerKey'),
          dependencies.settings.number('perMinute'),
          now(),
        ]),
      )
      refuseVerdict(rows[0].verdict, dependencies.settings)
    },
    async sending(state) {
      const { requestId } = state
      if (isFolded(state) && !(await unsent(dependencies.ledger.tasks.adopt(requestId)))) {
        throw new Error(`the hold of the task of ${requestId} is gone`)
      }
      const found = await unsent(
        tasksOf(knex)
          .where({ request_id: requestId, state: 'submitting' })
          .update({ ...placeOf(state), sent_at: now(), updated_at: now() } as never),
      )
      if (found === 0) throw new Error(`the row of the task of ${requestId} is gone`)
    },
    async accepted(state, submission, requested): Promise<TaskRecord> {
      try {
        const row = await patiently(clock, () => accept(state, submission, requested))
        return recordOf(row, dependencies.addressOf, state.taskContext?.origin?.taskId)
      } catch (err) {
        const { requestId, channel } = state
        const upstreamTask = submission.ref.slice(0, refMax)
        const known = { requestId, channelId: channel.id, upstreamTask }
        log.error({ ...known, err }, 'a task was accepted by its upstream and cannot be kept')
        throw err
      }
    },
    async doubtful({ requestId, key }, failure) {
      const reason = keptReason(
        `Whether the upstream accepted the task is not known: ${failure.message}`,
        { secrets: [key] },
      )
      try {
        return await leaveInDoubt(requestId, reason)
      } catch (err) {
        unnoted.set(requestId, reason)
        throw err
      }
    },
    async refused(requestId, reason) {
      const doubt = unnoted.get(requestId)
      unnoted.delete(requestId)
      await patiently(clock, async () => {
        if (doubt !== undefined && (await leaveInDoubt(requestId, doubt))) return
        await leaveRefused(requestId, reason)
      })
    },
    async finished(taskId, signal) {
      const row = await dependencies.waiting.ended(taskId, signal)
      if (row === undefined) return undefined
      const record = recordOf(row, dependencies.addressOf)
      return { ...record, results: await withBytes(knex, row, record.results) }
    },
    async origin(userId, taskId, { unfinished = false } = {}) {
      if (!isTaskId(taskId)) throw new Refusal('task_not_found', { task: shownId(taskId) })
      const row = await tasksOf(knex)
        .where({ task_id: taskId, user_id: userId, hidden: false })
        .first<TaskRow | undefined>()
      if (row === undefined) throw new Refusal('task_not_found', { task: shownId(taskId) })
      const isUsable = row.state === 'succeeded' || (unfinished && row.upstream_ref !== null)
      if (!isUsable || row.upstream_ref === null) {
        throw new Refusal('task_not_finished', { task: shownId(taskId) })
      }
      const { channel_id: channelId, key_id: keyId, results, model: requestedModel } = row
      const hasKey = dependencies.channels.get(channelId)?.keys.some(({ id }) => id === keyId)
      return {
        ...refOf(row),
        ...{ taskId, channelId, results, requestedModel },
        ...(hasKey === true && { keyId }),
      }
    },
    callbackUrl: (requestId) => dependencies.callbackUrl(taskIdOf(requestId)),
  }
}

/** It was accepted while its time ran out, or left in doubt before: either way nobody else may be sent it. */
async function isElsewhere(trx: Knex.Transaction, requestId: string): Promise<boolean> {
  const row = await tasksOf(trx)
    .where({ request_id: requestId } as never)
    .first<Pick<TaskRow, 'state'> | undefined>('state')
  return row !== undefined && row.state !== 'submitting'
}

/** Those that came as their bytes: only a client that waits for the task is answered with them. */
function withBytes(knex: Knex, { id, results }: TaskRow, shown: TaskRecord['results']) {
  return Promise.all(
    shown.map(async (one) => {
      const { data } = await wholeResult(knex, id, { ...results[one.index]!, index: one.index })
      return data === undefined ? one : { ...one, data }
    }),
  )
}

/** What a client calls a task is shown back to it, and is as long as it likes. */
export function shownId(taskId: string): string {
  return taskId.slice(0, 64)
}

function newFields(
  state: Parameters<TaskLine['begin']>[0],
  { secrets }: Pick<LineDependencies, 'secrets'>,
): JsonObject {
  const { requestId, user, token, operation, model, channel, group, taskContext } = state
  const body = jsonOf(state.body)
  const taskId = taskIdOf(requestId)
  const { action = 'generate' } = body
  const callback = state.task?.callbackUrl
  return {
    ...{ task_id: taskId, request_id: requestId, user_id: user.id, token_id: token?.id ?? null },
    ...{ group_name: group, operation, model, channel_id: channel.id, key_id: 0 },
    action: String(action).slice(0, 64),
    origin: taskContext?.origin?.taskId ?? null,
    request: keptRequest(body),
    callback: callback === undefined ? null : secrets.seal(callbackPlace(taskId), callback),
  }
}

function refuseVerdict(verdict: string, settings: Settings): void {
  if (verdict === 'user' || verdict === 'token') {
    const isUser = verdict === 'user'
    const limit = settings.number(isUser ? 'underWayPerUser' : 'underWayPerKey')
    throw new Refusal('too_many_tasks', { whose: isUser ? 'user' : 'API key', limit })
  }
  if (verdict === 'rate') throw new Refusal('rate_limit_exceeded', { seconds: 60 })
}

/** As it comes back from a row. */
function storable(text: string): string {
  return JSON.parse(storedJson(text))
}

function placeOf({ channel, keyId, adapter, upstreamModel, group }: Reserved) {
  const platform = String(adapter.issuer ?? '').replace(/^(task|provider)\./, '')
  return {
    ...{ channel_id: channel.id, key_id: keyId, platform, upstream_model: upstreamModel },
    group_name: group,
  }
}

function acceptedValues(
  { price, key, channel, requestId }: Reserved,
  { ref, keep = {}, progress, made: reported }: Submission,
  requested: TaskQuantities,
  { clock, settings }: LineDependencies,
) {
  const kept = storedKeep(progress?.keep ?? keep)
  // It could never be asked for.
  if (ref.length > refMax || kept === undefined || storable(ref) !== ref) {
    throw new Error('the id of the task, or what is kept with it, is beyond every bound')
  }
  const made = keptMade(reported)
  const state = progress?.state
  const isUnderWay = state === 'running' || state === 'unknown'
  const unshown = { secrets: [key], ref, taskId: taskIdOf(requestId) }
  return {
    upstream_ref: ref,
    keep: kept,
    state: isUnderWay ? state : 'queued',
    word: keptWord(progress?.word, unshown),
    percent: percentOf(progress?.percent, 0),
    raw: storedJson(keptAnswer(progress?.raw, unshown)),
    billing: 'charged',
    charged: String(price.cost({ ...requested })),
    terms: storedJson(price.terms()),
    requested: storedJson(requested),
    made: made === undefined ? null : storedJson(made),
    delta_off: deltaIsOff(channel),
    poll_at: new Date(clock.now() + (progress?.again === true ? 0 : firstPollMs)),
    deadline_at: new Date(clock.now() + settings.number('timeoutMinutes') * 60_000),
  }
}

/** A whole number from 0 to 100; what is none leaves it as it was. */
export function percentOf(percent: number | undefined, before: number): number {
  if (percent === undefined || !Number.isFinite(percent)) return before
  return Math.min(Math.max(Math.round(percent), 0), 100)
}

/** Nothing was sent yet: a database that is away is a refusal like any other. */
async function unsent<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause
    throw new Refusal('database_unavailable', {}, { cause })
  }
}
