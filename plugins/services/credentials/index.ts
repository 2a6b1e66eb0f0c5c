/**
 * Exchanges channel keys for what calls carry (a service account for a token, a refresh token for an access token) and
 * keeps the result until shortly before it expires. One exchange per key at a time, however many calls wait for it.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Credentials, Provider } from '../../../kernel/contract/provider.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import {
  EgressError,
  failureOf,
  faultFields,
  internalFailure,
  PluginFault,
  Refusal,
} from '../../../kernel/toolkit/errors/index.js'
import { createCall } from './call.js'
import type { Authorized, ChannelCredentials } from './credentials.js'
import { createRenewals } from './renewals.js'
import { createTrails, type Trail } from './trails.js'

export type * from './credentials.js'

/** Exchanged again this long before the end at the latest, so that no call sets out with what dies on the way. */
const earlyMsMin = 60_000
/** Processes that share a channel draw their own moment up to here, so that one of them is first and the others are notified. */
const earlyMsMax = 300_000
/** A refused token is exchanged again at most this often, however many calls were refused. */
const forcedEveryMs = 30_000

type CredentialsKit = Kit<'channels' | 'providers' | 'egress' | 'secrets'>

export default function create(kit: CredentialsKit): ChannelCredentials {
  const { services, clock, log } = kit
  const { channels, providers, secrets } = services
  const earlyMs = earlyMsMin + Math.random() * (earlyMsMax - earlyMsMin)
  const trails = createTrails()
  const call = createCall(services)
  const renewals = createRenewals({ channels, clock, log })

  function of(channel: Channel, key: string): Authorized | Promise<Authorized> {
    const provider = providers.provider(channel.type)
    if (provider?.authorize === undefined) return { key }
    const trail = trails.of(channel, key)
    const { credentials } = trail
    if (credentials !== undefined && isGood(credentials)) return credentials
    return trail.exchange ?? begin(trail, provider, channel)
  }

  function isGood({ expiresAt = Infinity }: Credentials): boolean {
    return expiresAt - earlyMs > clock.now()
  }

  function begin(trail: Trail, provider: Provider, channel: Channel): Promise<Authorized> {
    const exchange = settled(trail, provider, channel)
    trail.exchange = exchange
    void exchange.then(() => {
      trail.exchange = undefined
    })
    return exchange
  }

  /** Never rejects. */
  async function settled(trail: Trail, provider: Provider, channel: Channel): Promise<Authorized> {
    try {
      return await (replaced(trail, channel) ?? exchanged(trail, provider, channel))
    } catch (error) {
      return { failure: failureFrom(error, channel) }
    }
  }

  /** Another process renewed the key, or an admin changed it: the spent one is not to be shown again. */
  function replaced(trail: Trail, { id }: Channel): Authorized | Promise<Authorized> | undefined {
    const current = channels.get(id)
    const key = current?.keys.find((known) => known.id === trail.keyId)?.text
    if (current === undefined || key === undefined || key === trail.key) return undefined
    return trails.of(current, key) === trail ? undefined : of(current, key)
  }

  async function exchanged(
    trail: Trail,
    provider: Provider,
    channel: Channel,
  ): Promise<Authorized> {
    const authorized = await provider.authorize!(trail.key, channel, {
      now: clock.now(),
      ...(trail.refused !== undefined && { refused: trail.refused }),
      fetch: (request) => call(channel, request),
    })
    if ('failure' in authorized) return authorized
    const { token, renewedKey } = authorized
    for (const secret of [token, renewedKey]) if (secret !== undefined) mask(secret)
    trail.credentials = authorized
    trail.refused = undefined
    if (renewedKey !== undefined && renewedKey !== trail.key) {
      trails.renew(trail, renewedKey)
      await renewals.store(trail)
    }
    return authorized
  }

  /** Whatever is opened is registered with the log, which masks it from then on. */
  function mask(secret: string): void {
    secrets.open(maskPlace, secrets.seal(maskPlace, secret))
  }

  /** Nothing of a stranger's error is logged but its name: a parser quotes what it could not read. */
  function failureFrom(error: unknown, { id: channelId }: Channel): Failure {
    if (error instanceof EgressError) return error.failure
    if (error instanceof PluginFault) {
      log.error({ ...faultFields(error), channelId }, 'a provider could not exchange a key')
      return internalFailure()
    }
    const refusal = error instanceof Refusal ? error : new Refusal('channel:invalid_key')
    const fault = error instanceof Error ? error.name : typeof error
    log.warn({ channelId, fault, code: refusal.code }, 'a key could not be exchanged')
    return { ...failureOf(refusal), blame: 'channel' }
  }

  function forget(channel: Channel, key: string): void {
    const trail = trails.of(channel, key)
    const now = clock.now()
    if (trail.credentials === undefined || now - trail.forcedAt < forcedEveryMs) return
    trail.forcedAt = now
    trail.refused = trail.credentials.token
    trail.credentials = undefined
  }

  return { of, forget }
}

const maskPlace = 'credentials:token'
