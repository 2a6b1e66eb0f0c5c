/** What others see of the channels: an in-memory copy, replaced row by row as admins edit (design.md section 6). */
import type { Channel } from '../../../kernel/contract/exchange.js'

export interface Channels {
  get(id: number): Channel | undefined
  /** Enabled channels of a (group, model) by priority, highest first; each tier with weights. Built on first use. */
  tiers(group: string, model: string): readonly Tier[]
  /** Names of the models some enabled channel of the group serves, in order of name. */
  models(group: string): readonly string[]
  /** Puts a key in the place of one that was spent; does nothing where that is no longer the channel's. */
  renewKey(id: number, spent: string, renewed: string): Promise<void>
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
