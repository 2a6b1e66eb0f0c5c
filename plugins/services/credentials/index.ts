/**
 * Exchanges channel keys for what calls carry (a service account for a token, a refresh token for an access token) and
 * keeps the result until shortly before it expires. One exchange per key at a time, however many calls wait for it.
 */
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { createCall } from './call.js'
import type { ChannelCredentials } from './credentials.js'
import { Exchanges } from './exchanges.js'
import { createRenewals } from './renewals.js'
import { createTrails } from './trails.js'

export type * from './credentials.js'

type CredentialsKit = Kit<'channels' | 'providers' | 'egress' | 'secrets'>

export default function create({ services, clock, log }: CredentialsKit): ChannelCredentials {
  const { channels, providers, secrets } = services
  const exchanges = new Exchanges({
    ...{ channels, providers, secrets, clock, log },
    trails: createTrails(),
    renewals: createRenewals({ channels, clock, log }),
    call: createCall({ egress: services.egress, providers, clock }),
  })
  return {
    of: (channel, key) => exchanges.of(channel, key),
    forget: (channel, key) => exchanges.forget(channel, key),
  }
}
