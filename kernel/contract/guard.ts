/** What a guard implements, and the record it meets where it stands. */
import type { Channel } from './line/channel.js'
import type { Opened, Planned, Received } from './line/record.js'
import type { RecordAfter, RecordBefore, Stages } from './line/stages.js'

/**
 * Third-party hook: refuses (throws a `Refusal`) or observes at one stage; it never changes the record. Behind a stage it
 * is not called where the stage failed; where it refuses behind `upstream`, the reply is let go. Written as
 * `GuardAt<'upstream', 'after'>`, with the stage and the side its manifest names.
 */
export interface Guard<Met extends object = Shown<Received>> {
  check(state: Readonly<Met>): void | Promise<void>
}

/** What the record holds beside: keys, and what acts on the request. No guard meets it. */
type Withheld = 'key' | 'credential' | 'hold' | 'claim' | 'sink' | 'room'

/** Keys, and what may hold some. */
export type ShownChannel = Omit<Channel, 'keys' | 'proxy' | 'headerOverride'>

/** A record as guards meet it. Headers and query of the client are there without its key. */
export type Shown<Met extends object> = Met extends unknown
  ? Omit<Met, Withheld | 'channel'> & ShownChannelOf<Met>
  : never

type ShownChannelOf<Met> = Met extends { readonly channel: Channel }
  ? { readonly channel: ShownChannel }
  : Met extends { readonly channel?: Channel }
    ? { readonly channel?: ShownChannel }
    : unknown

/** The record before and after a stage; at `settle`, as far as the request came. */
export type GuardedRecord<Stage extends keyof Stages, Side extends 'before' | 'after'> = Shown<
  Stage extends 'settle'
    ? Planned & Partial<Opened>
    : (Side extends 'before' ? RecordBefore<Stage> : RecordAfter<Stage>) & Received
>

export type GuardAt<Stage extends keyof Stages, Side extends 'before' | 'after'> = Guard<
  GuardedRecord<Stage, Side>
>
