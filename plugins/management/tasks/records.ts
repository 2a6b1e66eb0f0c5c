/** A task in the words of the API: the family's names where it has some, the gateway's own beside them. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type {
  StoredResult,
  TaskDetails,
  TaskMoment,
  TaskPage,
  TaskStage,
} from '../../services/tasks/index.js'

type Listed = TaskPage['items'][number] & Previewed

export interface Previewed {
  /** Where pages of this gateway may show a result; undefined: it is a text. */
  readonly previewOf: (index: number) => string | undefined
}

export interface TaskMade {
  readonly index: number
  readonly type: string
  readonly url?: string
  readonly preview?: string
  readonly text?: string
  readonly meta?: JsonObject
}

export interface OwnTask {
  readonly task_id: string
  readonly request_id: string
  readonly user_id: number
  readonly platform: string
  readonly operation: string
  readonly action: string
  readonly model: string
  readonly group: string
  readonly state: TaskStage
  readonly status: string
  readonly word: string
  readonly percent: number
  readonly progress: string
  readonly fail_reason: string
  readonly late_success: boolean
  readonly quota: number
  readonly charged: number
  readonly cost: number | null
  readonly results: readonly TaskMade[]
  readonly request: JsonObject
  readonly data: JsonObject
  readonly created_at: number
  readonly updated_at: number
  readonly submit_time: number
  readonly start_time: number
  readonly finish_time: number
}

export interface AnyTask extends OwnTask {
  readonly username: string
  readonly channel_id: number
  readonly channel_name: string
}

export interface TaskStep {
  readonly state: TaskStage
  readonly word: string
  readonly reason: string
  readonly at: number
}

export interface StoredFileRecord {
  readonly index: number
  readonly state: 'pending' | 'stored' | 'failed' | 'leaving'
  readonly place: string
  readonly name: string
  readonly bytes: number
  readonly tries: number
  readonly reason: string
  readonly next_try: number
  readonly stored_at: number
  readonly kept_until: number
}

export interface KeptTaskResult {
  readonly index: number
  readonly until: number
}

interface Account {
  readonly origin_task_id: string
  readonly deadline: number
  readonly cancellable: boolean
  readonly history: readonly TaskStep[]
  readonly arithmetic: { readonly charged: JsonObject | null; readonly cost: JsonObject | null }
}

export interface OwnTaskDetails extends OwnTask, Account {
  readonly kept: readonly KeptTaskResult[]
}

export interface AnyTaskDetails extends AnyTask, Account {
  readonly token_id: number
  readonly key_id: number
  readonly upstream_model: string
  readonly upstream_id: string
  readonly reachable: boolean
  readonly next_poll: number
  readonly poll_failures: number
  readonly stored: readonly StoredFileRecord[]
}

const words: Readonly<Record<TaskStage, string>> = {
  submitting: 'NOT_START',
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  unknown: 'UNKNOWN',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
}

export function anyTask(task: Listed): AnyTask {
  const { username, channelId, channelName } = task
  return { ...ownTask(task), username, channel_id: channelId, channel_name: channelName }
}

export function ownDetails(details: TaskDetails & Previewed): OwnTaskDetails {
  return { ...ownTask(details), ...accountOf(details), kept: keptOf(details) }
}

export function anyDetails(details: TaskDetails & Previewed): AnyTaskDetails {
  return {
    ...anyTask(details),
    ...accountOf(details),
    token_id: details.tokenId ?? 0,
    key_id: details.keyId,
    upstream_model: details.upstreamModel,
    upstream_id: details.upstreamRef,
    reachable: details.reachable,
    next_poll: seconds(details.nextPollAt),
    poll_failures: details.pollFailures,
    stored: details.stored.map(storedFile),
  }
}

/** As its owner may see it. The service keeps nothing that holds the upstream's id of it. */
export function ownTask(task: Listed): OwnTask {
  const { taskId, requestId, userId, platform, operation, action, model, group } = task
  const { state, word, percent, charged, cost, request, raw, results } = task
  return {
    ...{ task_id: taskId, request_id: requestId, user_id: userId },
    ...{ platform, operation, action, model, group, state, word, percent },
    status: words[state],
    progress: `${percent}%`,
    fail_reason: state === 'failed' ? task.reason : '',
    late_success: task.lateSuccess,
    ...{ quota: cost ?? charged, charged, cost: cost ?? null },
    results: results.map((made) => {
      const { index, type, url, text, meta } = made
      return present({ index, type, url, preview: task.previewOf(index), text, meta })
    }) as unknown as readonly TaskMade[],
    ...{ request, data: raw },
    created_at: seconds(task.createdAt),
    updated_at: seconds(task.updatedAt),
    submit_time: seconds(task.createdAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
  }
}

function accountOf(details: TaskDetails): Account {
  const { arithmetic, cancellable, deadlineAt, history, originId } = details
  return {
    origin_task_id: originId ?? '',
    deadline: seconds(deadlineAt),
    cancellable,
    history: history.map(stepOf),
    arithmetic: { charged: arithmetic.charged ?? null, cost: arithmetic.cost ?? null },
  }
}

function storedFile({ index, state, place, name, bytes, ...file }: StoredResult): StoredFileRecord {
  return {
    ...{ index, state, place, name, bytes, tries: file.tries, reason: file.reason },
    next_try: seconds(file.nextAt),
    stored_at: seconds(file.storedAt),
    kept_until: seconds(file.keptUntil),
  }
}

/** Where they are kept is not for the owner. */
function keptOf({ stored }: TaskDetails): readonly KeptTaskResult[] {
  return stored
    .filter(({ state }) => state === 'stored')
    .map(({ index, keptUntil }) => ({ index, until: seconds(keptUntil) }))
}

function stepOf({ state, word, reason, at }: TaskMoment): TaskStep {
  return { state, word, reason, at: seconds(at) }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
