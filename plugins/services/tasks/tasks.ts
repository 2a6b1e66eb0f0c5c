/** What others see of media tasks: a row from before the upstream is called until long after it is done. */
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Planned, Reserved } from '../../../kernel/contract/line/record.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type {
  LinkedTask,
  Submission,
  TaskCallback,
  TaskQuantities,
  TaskResult,
} from '../../../kernel/contract/task.js'

export interface Tasks extends TaskResults {
  /** What the stages of the line do with a task, in this order. */
  readonly line: TaskLine
  /** One task of a user. Rejects with `task_not_found`: also where it is somebody else's. */
  find(userId: number, taskId: string): Promise<TaskRecord>
  /** Those of the named tasks that are the user's, in the order of the names. At most 100 are looked for. */
  findAll(userId: number, taskIds: readonly string[]): Promise<readonly TaskRecord[]>
  /** Newest first. */
  page(query: TaskQuery): Promise<TaskPage>
  /** Those of a user behind a task. Rejects with `task_not_found` where it is none of theirs. */
  list(query: TaskListQuery): Promise<TaskList>
  /** One task whoever owns it, with what only admins see. Rejects with `task_not_found`. */
  details(taskId: string): Promise<TaskDetails>
  /** Asks the upstream now, whenever the next poll is due. Rejects with `task_ended` where nothing can be asked any more. */
  poll(taskId: string): Promise<TaskRecord>
  /** Requests the upstream to end it. Rejects with `task_not_cancellable` where the upstream cannot. */
  cancel(taskId: string): Promise<TaskRecord>
  /** The owner no longer wants to see it; what is stored of it is deleted. One under way is cancelled first. */
  remove(userId: number, taskId: string): Promise<TaskRecord>
  /** A report of an upstream at the address of one task. Rejects with `task_not_found` where the secret is not its own. */
  notice(taskId: string, secret: string, callback: TaskCallback): Promise<void>
  /** One round of every timed job: what is due is asked, what ran out of time ends. They run by themselves, callable for tests. */
  round(): Promise<void>
}

/** What tasks made, for those who may have it. */
export interface TaskResults {
  /** The bytes of a result, wherever they are. Rejects with `task_result_missing`. */
  content(taskId: string, index: number, request: ContentRequest): Promise<Content>
  /** Addresses of results that work without a key for 15 minutes (API-6). */
  readonly signed: SignedAddresses
}

export interface TaskLine {
  /**
   * Commits the row before money is set aside; of a further attempt the same row. Rejects with `too_many_tasks` where too many
   * of the user or key are under way.
   */
  begin(state: Planned & Pick<Reserved, 'wire' | 'channel' | 'group'>): Promise<void>
  /** Commits where it goes, and that it is about to be sent. */
  sending(state: Reserved): Promise<void>
  /** Commits what the upstream accepted, before the client is answered. */
  accepted(state: Reserved, submission: Submission, requested: TaskQuantities): Promise<TaskRecord>
  /**
   * The upstream may have accepted it, which is not known: it is neither tried elsewhere nor forgotten. False: it was never sent.
   */
  doubtful(state: Reserved, failure: Failure): Promise<boolean>
  /** No channel accepted it. */
  refused(requestId: string, reason: string): Promise<void>
  /** Waits for the end of a task; results have their bytes, where they came so. Undefined: the signal came first, and the task goes on. */
  finished(taskId: string, signal: AbortSignal): Promise<TaskRecord | undefined>
  /** The task a request goes on from. Rejects with `task_not_found`, or `task_not_finished` where it did not succeed. */
  origin(userId: number, taskId: string, options?: OriginOptions): Promise<LinkedTask>
  /** Where the upstream may report this request's task. Undefined: the gateway has no public address. */
  callbackUrl(requestId: string): string | undefined
}

export interface OriginOptions {
  /** One that has not succeeded will do. */
  readonly unfinished?: boolean
}

/** `submitting`: the upstream has not answered yet. The others are those of the contract. */
export type TaskStage = 'submitting' | 'queued' | 'running' | 'unknown' | 'succeeded' | 'failed'

/** A task as its owner may see it. Times are Unix milliseconds; 0: not yet. */
export interface TaskRecord {
  readonly taskId: string
  readonly requestId: string
  readonly userId: number
  readonly operation: OperationName
  readonly action: string
  /** Name of the task type: `kling`. */
  readonly platform: string
  readonly model: string
  readonly group: string
  readonly state: TaskStage
  /** The upstream's own word. */
  readonly word: string
  readonly percent: number
  readonly reason: string
  readonly results: readonly ShownResult[]
  /** What the client requested, media left out. */
  readonly request: JsonObject
  /** What the upstream reports, in its words, keys left out. */
  readonly raw: JsonObject
  /** Charged when it was accepted, and in the end; the latter is absent until it ended. Quota. */
  readonly charged: number
  readonly cost?: number
  readonly originId?: string
  readonly createdAt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly updatedAt: number
}

/** A result with an address the client can use. */
export interface ShownResult extends TaskResult {
  readonly index: number
  /** The upstream's own, or a signed one of this gateway. Absent: a text. */
  readonly url?: string
}

export interface TaskDetails extends TaskRecord {
  readonly username: string
  readonly tokenId?: number
  readonly channelId: number
  /** Empty: it is gone. */
  readonly channelName: string
  readonly keyId: number
  /** Whether the channel and a key of it are still there to ask. */
  readonly reachable: boolean
  readonly upstreamModel: string
  readonly upstreamRef: string
  readonly lateSuccess: boolean
  readonly nextPollAt: number
  readonly pollFailures: number
  readonly deadlineAt: number
  readonly cancellable: boolean
  /** Every state it was in, oldest first. */
  readonly history: readonly TaskMoment[]
  /** Results that are stored, or were to be. */
  readonly stored: readonly StoredResult[]
  /** How the charge and the cost came about: `Price.explain`. */
  readonly arithmetic: { readonly charged?: JsonObject; readonly cost?: JsonObject }
}

export interface StoredResult {
  readonly index: number
  /** `failed`: it is tried no more. `leaving`: its file is being deleted. */
  readonly state: 'pending' | 'stored' | 'failed' | 'leaving'
  readonly place: string
  /** Of the file, in its folder or bucket. */
  readonly name: string
  readonly bytes: number
  readonly tries: number
  /** Why the last try failed. */
  readonly reason: string
  readonly nextAt: number
  readonly storedAt: number
  /** When its time is over; 0: that is open, or it is not stored. */
  readonly keptUntil: number
}

export interface TaskMoment {
  readonly state: TaskStage
  readonly word: string
  readonly reason: string
  readonly at: number
}

export interface TaskQuery {
  /** Only this user's, without what they hid. Absent: everybody's. */
  readonly userId?: number
  readonly username?: string
  readonly taskId?: string
  readonly channelId?: number
  readonly platform?: string
  readonly operation?: string
  readonly action?: string
  readonly state?: TaskStage
  readonly model?: string
  /** Unix seconds. */
  readonly from?: number
  readonly to?: number
  readonly page: number
  readonly pageSize: number
}

export interface TaskListQuery {
  readonly userId: number
  readonly operation: OperationName
  /** Public id of the task the list begins behind. Absent: from the first on. */
  readonly after?: string
  /** Absent: newest first. */
  readonly oldestFirst?: boolean
  readonly limit: number
}

export interface TaskList {
  readonly tasks: readonly TaskRecord[]
  readonly hasMore: boolean
}

export interface TaskPage {
  readonly items: readonly (TaskRecord &
    Pick<TaskDetails, 'username' | 'channelId' | 'channelName' | 'lateSuccess'>)[]
  /** Counted up to 10,000. */
  readonly total: number
}

export interface ContentRequest {
  /** As the client sent it: `bytes=0-1023`. */
  readonly range?: string
}

export interface Content {
  /** 200, 206 or 416. */
  readonly status: number
  /** Lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ByteSource
}

export interface SignedAddresses {
  /** Path and query; behind the server's address where one is set. */
  of(task: Pick<TaskRecord, 'taskId' | 'userId' | 'operation'>, index: number): string
  /** Throws `signature_invalid` (403) unless every part is as it was signed and the time has not run out. */
  check(
    taskId: string,
    index: number,
    query: Readonly<Record<string, string>>,
  ): { readonly userId: number }
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    tasks: Tasks
  }
}
