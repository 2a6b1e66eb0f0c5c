/** What others see of the channels: an in-memory copy, replaced row by row as admins edit (kernel/README.md section 6). */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { ChannelEdits } from './edits/edits.js'

export type * from './edits/edits.js'

export interface Channels {
  /** Any channel, enabled or not; one whose plugin is gone counts as not enabled. */
  get(id: number): Channel | undefined
  /** Every channel that can be read, enabled or not, in order of id. The same array until one of them changes. */
  all(): readonly Channel[]
  /** Enabled channels of a (group, model) by priority, highest first; each tier with weights. Built on first use. */
  tiers(group: string, model: string): readonly Tier[]
  /** Names of the models some enabled channel of the group serves, in order of name. */
  models(group: string): readonly string[]
  /** What its provider finds wrong with its stored settings, as a sentence; it serves what it can all the same. */
  fault(id: number): string | undefined
  /** Puts a key in the place of one that was spent; does nothing where that is no longer the channel's. */
  renewKey(id: number, spent: string, renewed: string): Promise<void>
  /**
   * Switched off by the gateway itself: the channel, or one of its several keys; the last enabled key takes the channel
   * with it (CHAN-5). Answers whether that changed anything: what an admin switched off stays as it is.
   */
  suspend(which: ChannelPart, reason: string): Promise<boolean>
  /** Switches on again what the gateway itself had switched off, nothing else. Answers whether that changed anything. */
  resume(which: ChannelPart): Promise<boolean>
  /** A test was made of the channel; it answered within so many milliseconds. */
  noteTest(id: number, ms: number): Promise<void>
  /** What admins change. */
  readonly edits: ChannelEdits
}

export interface ChannelPart {
  readonly channelId: number
  /** One key of several. Absent: the channel. */
  readonly keyId?: number
}

export interface Tier {
  readonly priority: number
  readonly channels: readonly Channel[]
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    channels: Channels
  }
}
