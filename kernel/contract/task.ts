/**
 * A media task is work of an upstream that outlives its request: it is submitted, watched and fetched. An adapter of the
 * form `task` translates between the gateway's request and an upstream; it is as pure as any provider. The gateway keeps
 * the row of the task, makes every call, and alone moves money: an adapter settles nothing and keeps no key.
 */

import type { AdapterBase, ChannelView, Credentials, UpstreamRequest } from './adapter.js'
import type { Body } from './body.js'
import type { Failure } from './failure.js'
import type { JsonObject } from './json.js'
import type { Answered, WholeAnswer } from './operation.js'

/**
 * Where a task stands. `unknown`: the upstream uses a word the adapter does not know, which is kept and shown; the task goes on
 * being watched. A word that is not known is never `failed`.
 */
export type TaskState = 'queued' | 'running' | 'succeeded' | 'failed' | 'unknown'

/** One thing a task made. At least one of `url`, `data` and `text` is there. */
export interface TaskResult {
  readonly type: 'image' | 'video' | 'audio' | 'text' | 'file'
  /** Public address at the upstream. With `keyed` it is not shown to the client, who gets one of the gateway. */
  readonly url?: string
  /** The bytes need the channel's key: `content` says how they are fetched. */
  readonly keyed?: true
  /** The bytes themselves: a data URL with base64. */
  readonly data?: string
  readonly text?: string
  /** What the client may use of it beside: `duration`, `width`, `cover_url`, `title`, … in the upstream's words. */
  readonly meta?: JsonObject
}

/**
 * How much of what was made, or will be: the price chooses the count it is made of. All units are what was made in total, so two
 * clips of 5 seconds are 2 pieces and 10 seconds.
 */
export interface TaskQuantities {
  /** By unit: `second`, `piece`, `token`, … Each a number of at least 0. */
  readonly counts: Readonly<Record<string, number>>
  /** What a rate card may ask for: `resolution`, `size`, `audio`, `quality`, `mode`, … as texts. */
  readonly dimensions: Readonly<Record<string, string>>
}

/** What an upstream reports of a task. */
export interface Progress {
  /** As submitted: the upstream's id of the task. */
  readonly ref: string
  readonly state: TaskState
  /** The upstream's own word for the state. */
  readonly word?: string
  /** 0 to 100. Absent: the upstream reports none. */
  readonly percent?: number
  /** Of a task that succeeded; an image upstream may have some before. */
  readonly results?: readonly TaskResult[]
  /** Why it failed, in a sentence without keys or addresses. */
  readonly reason?: string
  /** What was made, where the upstream reports it: the charge is corrected by it. Counts that are absent stay as requested. */
  readonly made?: Partial<TaskQuantities>
  /** Unix milliseconds, by the upstream's clock. */
  readonly createdAt?: number
  readonly updatedAt?: number
  /** Replaces what the adapter keeps with the task. Absent: that stays. */
  readonly keep?: JsonObject
  /** The next poll is due at once, e.g. to fetch the address of a finished file. */
  readonly again?: true
  /** What the client may read of the upstream's own answer: shown in the family's `data`. Keys are taken out by the gateway. */
  readonly raw: JsonObject
}

/** What an upstream answered to a submission it accepted. */
export interface Submission {
  /** The upstream's id of the task. It never reaches the client. */
  readonly ref: string
  /** What later calls need beside it: a path, an action. At most 16 KiB. */
  readonly keep?: JsonObject
  /** Where it stands already. Absent: queued. */
  readonly progress?: Omit<Progress, 'ref'>
  /** What was accepted, where that is not what was requested. */
  readonly made?: Partial<TaskQuantities>
}

/** A task as later calls name it. */
export interface TaskRef {
  readonly ref: string
  /** As the request named it: `generate`, `remix`, … */
  readonly action: string
  /** The model as the upstream knows it. */
  readonly model: string
  /** What the adapter kept; empty where nothing. */
  readonly keep: JsonObject
}

/** The task a request goes on from, e.g. of a remix: it is submitted by the same channel and key. */
export interface TaskOrigin extends TaskRef {
  readonly results: readonly TaskResult[]
}

/** The same, with who has it: the channel and key that alone can go on from it. */
export interface LinkedTask extends TaskOrigin {
  /** As clients know it. */
  readonly taskId: string
  readonly channelId: number
  /** Absent: the key is gone, and any other of the channel is tried. */
  readonly keyId?: number
  /** As the client named it. */
  readonly requestedModel: string
}

/** Given to `shape` beside the request. */
export interface TaskContext {
  /** The task the request names as its origin. Absent: it names none. */
  readonly origin?: TaskOrigin
  /**
   * An address nobody can guess, at which the upstream may report this task (`notice`). Absent: the gateway has no public
   * address, or the adapter reads no notices.
   */
  readonly callbackUrl?: string
}

export interface TaskCallContext {
  /** Unix milliseconds, for signatures. */
  readonly now: number
}

/** A report the upstream sent by itself to the address of one task. */
export interface TaskCallback {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface TaskPoll {
  /** How many tasks one call may name. 1: each has a call of its own. */
  readonly batch: number
  /** Tasks of one channel and key, at most `batch`. */
  request(
    refs: readonly TaskRef[],
    channel: ChannelView,
    credentials: Credentials,
    context: TaskCallContext,
  ): UpstreamRequest
  /**
   * What the answer, of a status from 200 to 299, reports of them; of other tasks nothing. A task the answer does not name is
   * asked for again later. `failure`: the call failed, which says nothing of the tasks.
   */
  read(
    answer: WholeAnswer,
    refs: readonly TaskRef[],
    channel: ChannelView,
  ): readonly Progress[] | { readonly failure: Failure }
  /**
   * What an answer of another status says of a task for certain, e.g. that the upstream no longer has it. Undefined: nothing; it
   * is asked for again later. Absent: nothing ever.
   */
  readRefusal?(answer: WholeAnswer, ref: TaskRef): Progress | undefined
}

/** The form `task` of an adapter. `address` makes the call that submits; `fail` reads a refusal of any call. */
export interface TaskAdapter extends AdapterBase {
  readonly format: 'task'
  /** Names of actions it serves beside `generate`. Absent: none. A request for another is refused by name. */
  readonly actions?: readonly string[]
  readonly takes?: readonly string[]
  /** The request in the operation's form as this upstream's. Throws a `Refusal` that names the field it cannot express. */
  shape(body: Body, channel: ChannelView, model: string, context?: TaskContext): Body
  /** What the outgoing call will make, read from it as it goes out: what the price is applied to. */
  quantities(wire: Body, model: string, requested: Body): TaskQuantities
  /** The whole answer, of a status from 200 to 299, to the call that submits. */
  submitted(
    answer: WholeAnswer,
    wire: Body,
    model: string,
  ): Submission | { readonly failure: Failure }
  readonly poll: TaskPoll
  /**
   * Reads a report of the upstream; throws a `Refusal` where it is not genuine. Undefined: it concerns no task. Absent: reports are
   * not read, and none are requested.
   */
  notice?(callback: TaskCallback, ref: TaskRef): Progress | undefined
  /** How the bytes of a result with `keyed` are fetched. */
  content?(
    ref: TaskRef,
    result: TaskResult,
    channel: ChannelView,
    credentials: Credentials,
    context: TaskCallContext,
  ): UpstreamRequest
  /** Only tasks that wait may be named: of others the call is refused, or deletes what there is of them. Absent: any may be. */
  readonly cancelsOnlyQueued?: true
  /** Ends a task; any status from 200 to 299 means that it will end. Absent: the upstream cannot. */
  cancel?(
    ref: TaskRef,
    channel: ChannelView,
    credentials: Credentials,
    context: TaskCallContext,
  ): UpstreamRequest
  /**
   * Only where it serves an operation that has an answer of its own, such as `images`: the results in that operation's form. The
   * gateway submits, watches and answers within one request.
   */
  folded?(progress: Progress, requested: Body): Answered | { readonly failure: Failure }
}
