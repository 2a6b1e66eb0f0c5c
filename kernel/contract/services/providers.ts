/** Providers by channel type. */

import type { Call } from '../call.js'
import type { FormatName, Issuer, OperationName } from '../names.js'
import type { Adapter, ChannelView, Provider } from '../provider.js'

/** What an adapter is looked for. */
export interface AdapterQuery {
  readonly operation: OperationName
  /** The client's format: of several adapters that serve, the one that speaks it is taken. */
  readonly format: FormatName
  /** As the upstream knows it. */
  readonly model: string
  /** The request, for adapters that depend on it. Absent: not known. */
  readonly call?: () => Call
}

export interface Providers {
  /** The adapter that serves a channel; undefined: none does, or the provider is still being loaded. */
  adapter(channel: ChannelView, query: AdapterQuery): Adapter | undefined
  /** The provider of a channel type; undefined until it is loaded. */
  provider(channelType: number): Provider | undefined
  /**
   * Hosts its calls may reach beside the channel's own, as the manifest names them; a leading `*.` stands for any name. `issuer`:
   * the plugin whose adapter makes the call, where that may be a task type on a channel of another.
   */
  hosts(channelType: number, issuer?: Issuer): readonly string[]
  /** A plugin serves the channel type, and has not failed; it need not be loaded yet. */
  knows(channelType: number): boolean
  /** Default origin of a channel type; empty: none. Undefined: unknown type. */
  defaultBaseUrl(channelType: number): string | undefined
  /** Loads the provider of a channel type, so that `adapter` can answer at once. */
  warm(channelType: number): Promise<void>
}
