/** What a guard implements, and the record it meets where it stands. */
import type {
  Admitted,
  Attempt,
  Mapped,
  Opened,
  Overridden,
  Picked,
  Planned,
  Received,
  Reserved,
} from './line/record.js'

/**
 * Third-party hook: refuses (throws a `Refusal`) or observes at one stage; it never changes the record. Behind a stage it
 * is not called where the stage failed; where it refuses behind `upstream`, the reply is let go. Written as
 * `GuardAt<'upstream', 'after'>`, with the stage and the side its manifest names.
 */
export interface Guard<Met extends Received = Received> {
  check(state: Readonly<Met>): void | Promise<void>
}

/** The record before and after each stage. */
export interface GuardedRecords {
  readonly auth: { readonly before: Received; readonly after: Admitted }
  readonly 'route-plan': { readonly before: Admitted; readonly after: Planned }
  readonly 'channel-pick': { readonly before: Attempt; readonly after: Picked }
  readonly mapping: { readonly before: Picked; readonly after: Mapped }
  readonly override: { readonly before: Mapped; readonly after: Overridden }
  readonly 'pre-consume': { readonly before: Overridden; readonly after: Reserved }
  readonly upstream: { readonly before: Reserved; readonly after: Opened }
  /** As far as the request came. */
  readonly settle: { readonly before: SettledRecord; readonly after: SettledRecord }
}

export type SettledRecord = Planned & Partial<Opened>

export type GuardAt<Stage extends keyof GuardedRecords, Side extends 'before' | 'after'> = Guard<
  GuardedRecords[Stage][Side]
>
