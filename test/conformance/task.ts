/**
 * The conformance kit of task types. A plugin brings its manifest, requests of clients with what goes out for them, and answers
 * its upstream documents with what they report; the kit plays the gateway, an upstream that sends anything at all, and whoever
 * would like a task to end that has not.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type {
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import type {
  Progress,
  Submission,
  TaskCallback,
  TaskContext,
  TaskQuantities,
  TaskRef,
  TaskResult,
} from '../../kernel/contract/task.js'
import {
  conformingManifest,
  runKit,
  type Subject,
  type TestFunction,
  type TestRunner,
} from './kit.js'
import { conformingRefusal, conformingRefusals, type RefusalCase } from './refusals.js'
import { taskBench } from './task-bench.js'
import { conformingCalls } from './task-calls.js'
import { conformingFolded } from './task-folded.js'
import { conformingNotices } from './task-notices.js'
import { conformingPolls } from './task-polls.js'
import { conformingRequests } from './task-requests.js'
import { conformingSubmissions } from './task-submissions.js'

export interface TaskSubject extends Subject<Provider> {
  /** Absent: the only one it serves. */
  readonly operation?: OperationName
  /** What differs from a channel of the manifest's first type with its address and its defaults. */
  readonly channel?: Partial<ChannelView>
  /** What one call carries where the key is exchanged or is more than one word. Absent: a key that cannot be missed. */
  readonly credentials?: Credentials
  /** Requests of clients. The first is the least there is: what it leaves out, the upstream fills in. */
  readonly requests: readonly TaskRequestCase[]
  /** Requests the upstream cannot be sent, by the field that is at fault. */
  readonly refused?: readonly RefusedRequestCase[]
  /** Answers to the call that submits. */
  readonly submissions: readonly SubmissionCase[]
  /** Answers to the call that polls: one for every state the upstream has a word for. */
  readonly polls: readonly PollCase[]
  /** Needed where the adapter has `readRefusal`: answers of other statuses that state something of a task for certain. */
  readonly ended?: readonly EndedCase[]
  /** Needed where the adapter has `notice`. */
  readonly notices?: readonly NoticeCase[]
  /** Needed where the adapter has `content`. */
  readonly contents?: readonly ContentCase[]
  /** Needed where the adapter has `cancel`. */
  readonly cancels?: readonly CancelCase[]
  /** Needed where the adapter has `folded`. */
  readonly folded?: readonly FoldedCase[]
  /** Refusals only this upstream words this way, and whose fault they are. */
  readonly refusals?: readonly RefusalCase[]
}

/** An answer of status 200 as JSON, or a whole one. */
export type TaskAnswer = JsonObject | readonly JsonObject[] | WholeAnswer

export interface TaskRequestCase {
  readonly name: string
  /** In the form of the operation, as the gateway has checked it. */
  readonly body: JsonObject & { readonly model: string }
  readonly context?: TaskContext
  readonly method?: UpstreamRequest['method']
  /** Behind the base URL, or a whole address. */
  readonly url: string
  /** What is sent: the JSON, or the fields of a form. Absent: it is not compared. */
  readonly sent?: JsonObject
  readonly quantities: TaskQuantities
}

interface RefusedRequestCase {
  readonly body: JsonObject & { readonly model: string }
  readonly context?: TaskContext
  readonly param: string
}

/** What the kit compares are the members named here. */
export interface SubmissionCase {
  readonly name: string
  /** Name of the request it is for. Absent: the first. */
  readonly request?: string
  readonly answer: TaskAnswer
  /** Absent: a failure. */
  readonly expected?: Partial<Submission>
}

type TaskNamed = Partial<TaskRef> & Pick<TaskRef, 'ref'>

export interface PollCase {
  readonly name: string
  /** The task that was polled. */
  readonly task: TaskNamed
  readonly answer: TaskAnswer
  /** Absent: the answer reports nothing of the task, or is a failure. */
  readonly expected?: Partial<Progress>
}

export interface EndedCase {
  readonly name: string
  readonly task: TaskNamed
  readonly answer: WholeAnswer
  readonly expected: Partial<Progress>
}

export interface NoticeCase {
  readonly name: string
  readonly task: TaskNamed
  readonly callback: Partial<TaskCallback> & Pick<TaskCallback, 'body'>
  /** Absent: it is forged, or of no task. */
  readonly expected?: Partial<Progress>
  /** It is signed: with any byte of it changed, or a header of it missing, it is refused. */
  readonly isSigned?: boolean
}

interface CallCase {
  readonly name: string
  readonly task: TaskNamed
  readonly method?: UpstreamRequest['method']
  /** Behind the base URL, or a whole address. */
  readonly url: string
}

interface ContentCase extends CallCase {
  readonly result: TaskResult
}

type CancelCase = CallCase

export interface FoldedCase {
  readonly name: string
  /** Name of the poll whose report it is made of; the task ended at 1767225600500. */
  readonly poll: string
  /** Name of the request of the client that waits. Absent: the first. */
  readonly request?: string
  readonly expected: Answered
}

/** Names every test at once; the promise resolves when they have ended. */
export function conformingTask(runner: TestRunner, subject: TaskSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: TaskSubject): void {
  conformingManifest(test, subject.manifest, 'task')
  const bench = taskBench(subject)
  conformingRequests(test, bench, subject)
  conformingSubmissions(test, bench, subject)
  conformingPolls(test, bench, subject)
  conformingNotices(test, bench, subject)
  conformingCalls(test, bench, subject)
  conformingFolded(test, bench, subject)
  conformingRefusals(test, 'fail', bench.adapter)
  for (const one of subject.refusals ?? []) conformingRefusal(test, 'fail', bench.adapter, one)
}
