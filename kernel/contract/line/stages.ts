/** The stages of the line: what each takes and what it adds. */

import type { Failed } from './attempt.js'
import type { Settling } from './delivery.js'
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
} from './record.js'

/**
 * A stage of the line: takes the record as it stands and returns what it adds. The line puts both together; a stage
 * never writes to the record. Before a hold exists it throws a `Refusal`; afterwards it returns a `Failed`.
 */
export interface Stage<In, Adds> {
  run(state: In): Adds | Promise<Adds>
}

/** The fields one record has more than the other. */
export type Added<Next, Before> = Omit<Next, keyof Before>

/** What each stage takes and adds, by name: what the compiler checks the line against. */
export interface Stages {
  readonly auth: Stage<Received, Added<Admitted, Received>>
  readonly 'route-plan': Stage<Admitted, Added<Planned, Admitted>>
  readonly 'channel-pick': Stage<Attempt, Added<Picked, Attempt> | Failed>
  readonly mapping: Stage<Picked, Added<Mapped, Picked> | Failed>
  /** Replaces `wire` where it changes it, and adds to `lost` what it leaves out. */
  readonly override: Stage<Mapped, Added<Overridden, Omit<Mapped, 'wire' | 'lost'>> | Failed>
  readonly 'pre-consume': Stage<Overridden, Added<Reserved, Overridden> | Failed>
  readonly upstream: Stage<Reserved, Added<Opened, Reserved> | Failed>
  readonly settle: Stage<Settling, void>
}

/** The record a stage takes. */
export type RecordBefore<Name extends keyof Stages> =
  Stages[Name] extends Stage<infer In, unknown> ? In : never

/** The record behind a stage: what it took, with what it adds. */
export type RecordAfter<Name extends keyof Stages> =
  Stages[Name] extends Stage<infer In, infer Adds> ? In & Exclude<Adds, Failed> : never
