/**
 * A notifier carries a notice to one user over a way they chose: mail, a webhook, a push service. It runs after the
 * transaction that made the notice, from an outbox; its result decides whether it is called again (API-9).
 */
import type { JsonObject } from './json.js'

export interface Notifier {
  /** Delivers the notice. Failures of delivery are results; what it throws counts as `later`. */
  deliver(notice: Notice, target: JsonObject): Promise<NoticeOutcome>
  /** What is wrong with the fields of a user (`userSettings`), in one sentence that begins with the field's name. */
  faultOf?(target: JsonObject): string | undefined
  /** False while the gateway lacks what this way needs, such as a mail server. Absent: always true. */
  ready?(): boolean
}

export interface Notice {
  /** The same at every try, so that a receiver knows a notice it has had before. */
  readonly id: string
  /** The family's words: `quota_exceed`, `channel_update`, `channel_test`, `verification`, `reset`, `test`, … */
  readonly type: string
  readonly title: string
  /** Plain text; holes as `{{value}}` are filled from `values`, in order. */
  readonly content: string
  readonly values: readonly string[]
  /** Unix seconds. */
  readonly timestamp: number
  /** JSON that a webhook sends in place of the members above. Absent: it sends those. Only webhooks are given it. */
  readonly body?: string
}

export type NoticeOutcome =
  | { readonly kind: 'delivered' }
  /** Not now: tried again, not before `afterMs` where the receiver named a time (LIMIT-8). */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs?: number }
  /** Never: a wrong address, a refusal. */
  | { readonly kind: 'refused'; readonly reason: string }
