/** What others see: the credentials of one call, exchanged where the provider requires that. */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Credentials } from '../../../kernel/contract/provider.js'

export type Authorized = Credentials | { readonly failure: Failure }

export interface ChannelCredentials {
  /** At once where the key itself authorises or an exchange still holds; a failed exchange is a failure, never thrown. */
  of(channel: Channel, key: string): Authorized | Promise<Authorized>
  /** The upstream refused what an exchange gave: the next call exchanges again, within bounds. */
  forget(channel: Channel, key: string): void
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    credentials: ChannelCredentials
  }
}
