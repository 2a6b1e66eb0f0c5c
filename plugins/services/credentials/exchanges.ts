/** The exchange of a key: once per key at a time, and again before its result expires or after it was refused. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Credentials, Provider } from '../../../kernel/contract/provider.js'
import type { Services } from '../../../kernel/contract/service.js'
import {
  EgressError,
  failureOf,
  faultFields,
  internalFailure,
  PluginFault,
  Refusal,
} from '../../../kernel/toolkit/errors/index.js'
import type { ExchangeCall } from './call.js'
import type { Authorized, ChannelCredentials } from './credentials.js'
import type { Renewals } from './renewals.js'
import type { Trail, Trails } from './trails.js'

/** Exchanged again this long before the end at the latest, so that no call sets out with what dies on the way. */
const earlyMsMin = 60_000
/** Processes that share a channel draw their own moment up to here, so that one of them is first and the others are notified. */
const earlyMsMax = 300_000
/** A refused token is exchanged again at most this often, however many calls were refused. */
const forcedEveryMs = 30_000

const maskPlace = 'credentials:token'

export interface ExchangeDependencies extends Pick<Services, 'channels' | 'providers' | 'secrets'> {
  readonly trails: Trails
  readonly renewals: Renewals
  readonly call: ExchangeCall
  readonly clock: Clock
  readonly log: Log
}

export class Exchanges implements ChannelCredentials {
  private readonly earlyMs = earlyMsMin + Math.random() * (earlyMsMax - earlyMsMin)

  constructor(private readonly dependencies: ExchangeDependencies) {}

  of(channel: Channel, key: string): Authorized | Promise<Authorized> {
    const provider = this.dependencies.providers.provider(channel.type)
    if (provider?.authorize === undefined) return { key }
    const trail = this.dependencies.trails.of(channel, key)
    const { credentials } = trail
    if (credentials !== undefined && this.isGood(credentials)) return credentials
    return trail.exchange ?? this.begin(trail, provider, channel)
  }

  forget(channel: Channel, key: string): void {
    const trail = this.dependencies.trails.of(channel, key)
    const now = this.dependencies.clock.now()
    if (trail.credentials === undefined || now - trail.forcedAt < forcedEveryMs) return
    trail.forcedAt = now
    trail.refused = trail.credentials.token
    trail.credentials = undefined
  }

  private isGood({ expiresAt = Infinity }: Credentials): boolean {
    return expiresAt - this.earlyMs > this.dependencies.clock.now()
  }

  private begin(trail: Trail, provider: Provider, channel: Channel): Promise<Authorized> {
    const exchange = this.settled(trail, provider, channel)
    trail.exchange = exchange
    void exchange.then(() => {
      trail.exchange = undefined
    })
    return exchange
  }

  /** Never rejects. */
  private async settled(trail: Trail, provider: Provider, channel: Channel): Promise<Authorized> {
    try {
      return await (this.replaced(trail, channel) ?? this.exchanged(trail, provider, channel))
    } catch (error) {
      return { failure: failureFrom(error, channel, this.dependencies.log) }
    }
  }

  /** Another process renewed the key, or an admin changed it: the spent one is not to be shown again. */
  private replaced(trail: Trail, { id }: Channel): Authorized | Promise<Authorized> | undefined {
    const current = this.dependencies.channels.get(id)
    const key = current?.keys.find((known) => known.id === trail.keyId)?.text
    if (current === undefined || key === undefined || key === trail.key) return undefined
    return this.dependencies.trails.of(current, key) === trail ? undefined : this.of(current, key)
  }

  private async exchanged(trail: Trail, provider: Provider, channel: Channel): Promise<Authorized> {
    const authorized = await provider.authorize!(trail.key, channel, {
      now: this.dependencies.clock.now(),
      ...(trail.refused !== undefined && { refused: trail.refused }),
      fetch: (request) => this.dependencies.call(channel, request),
    })
    if ('failure' in authorized) return authorized
    const { token, renewedKey } = authorized
    for (const secret of [token, renewedKey]) if (secret !== undefined) this.mask(secret)
    trail.credentials = authorized
    trail.refused = undefined
    if (renewedKey !== undefined && renewedKey !== trail.key) {
      this.dependencies.trails.renew(trail, renewedKey)
      await this.dependencies.renewals.store(trail)
    }
    return authorized
  }

  /** Whatever is opened is registered with the log, which masks it from then on. */
  private mask(secret: string): void {
    this.dependencies.secrets.open(maskPlace, this.dependencies.secrets.seal(maskPlace, secret))
  }
}

/** Nothing of a stranger's error is logged but its name: a parser quotes what it could not read. */
function failureFrom(error: unknown, { id: channelId }: Channel, log: Log): Failure {
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
