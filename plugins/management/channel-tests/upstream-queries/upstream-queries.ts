/** What others see of questions to upstreams that are no relay: which models there are, and what is left of the balance. */

import type { Failure } from '../../../../kernel/contract/failure.js'
import type { Channel, ChannelKey } from '../../../../kernel/contract/line/channel.js'

export interface UpstreamQueries {
  /** Names of the upstream's models, each once, in order. Undefined: this provider has no such query. */
  models(channel: Channel, key: ChannelKey): Promise<QueryResult<readonly string[]> | undefined>
  /** What is left, US dollars as a decimal text. Undefined: as above. */
  balance(channel: Channel, key: ChannelKey): Promise<QueryResult<string> | undefined>
}

export type QueryResult<T> = { readonly value: T } | { readonly failure: Failure }
