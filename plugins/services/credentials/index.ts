/**
 * Exchanges channel keys for what calls carry (a service account for a token, a refresh token for an access token) and
 * keeps the result until shortly before it expires. One exchange per key at a time, however many calls wait for it.
 */
import { LRUCache } from 'lru-cache'
import type { Channel } from '../../../kernel/contract/exchange.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Credentials, Provider, UpstreamRequest } from '../../../kernel/contract/provider.js'
import { EgressError, readAll } from '../../../kernel/egress/egress.js'
import { mayReach } from '../../../kernel/egress/reach.js'
import { Refusal } from '../../../kernel/errors.js'
import { limits } from '../../../kernel/limits.js'
import { failureOf } from '../../../kernel/pipeline/outcome.js'
import type { Authorized, ChannelCredentials } from './credentials.js'

export type * from './credentials.js'

/** Exchanged again this long before the end, so that no call sets out with what dies on the way. */
const earlyMs = 60_000
const keptMax = 10_000

interface Kept {
  readonly exchanged: Promise<Authorized>
  /** Set once it is there; undefined while it is awaited and where it failed. */
  credentials?: Credentials
}

export default function create({
  services,
  clock,
  log,
}: Kit<'channels' | 'providers' | 'egress'>): ChannelCredentials {
  const { channels, providers, egress } = services
  const kept = new LRUCache<string, Kept>({ max: keptMax })

  function of(channel: Channel, key: string): Authorized | Promise<Authorized> {
    const provider = providers.provider(channel.type)
    if (provider?.authorize === undefined) return { key }
    const place = placeOf(channel, key)
    const before = kept.get(place)
    if (before !== undefined && isGood(before)) return before.credentials ?? before.exchanged
    return exchangeAt(place, provider, channel, key)
  }

  function isGood({ credentials }: Kept): boolean {
    return credentials === undefined || (credentials.expiresAt ?? Infinity) - earlyMs > clock.now()
  }

  function exchangeAt(place: string, provider: Provider, channel: Channel, key: string) {
    const entry: Kept = { exchanged: exchange(provider, channel, key) }
    kept.set(place, entry)
    entry.exchanged.then((authorized) => {
      if ('failure' in authorized) kept.delete(place)
      else {
        entry.credentials = authorized
        if (authorized.renewedKey) kept.set(placeOf(channel, authorized.renewedKey), entry)
      }
    })
    return entry.exchanged
  }

  async function exchange(provider: Provider, channel: Channel, key: string): Promise<Authorized> {
    try {
      const authorized = await provider.authorize!(key, channel, {
        now: clock.now(),
        fetch: (request) => call(channel, request),
      })
      if (!('failure' in authorized)) await renew(channel, key, authorized)
      return authorized
    } catch (error) {
      if (error instanceof EgressError) return { failure: error.failure }
      log.warn({ err: error, channelId: channel.id }, 'a key could not be exchanged')
      return { failure: { ...failureOf(new Refusal('channel:invalid_key')), blame: 'channel' } }
    }
  }

  /** A spent key that could not be stored would lock the channel out with the next start: it is told loudly. */
  async function renew(channel: Channel, key: string, { renewedKey }: Credentials): Promise<void> {
    if (renewedKey === undefined || renewedKey === key) return
    try {
      await channels.renewKey(channel.id, key, renewedKey)
    } catch (error) {
      log.error({ err: error, channelId: channel.id }, 'a renewed key could not be stored')
    }
  }

  async function call(channel: Channel, request: UpstreamRequest): Promise<WholeAnswer> {
    if (!mayReach(request.url, channel.baseUrl, providers.hosts(channel.type))) {
      throw new Refusal('channel:address_refused', {
        reason: 'its provider does not name the host',
      })
    }
    const { method, url, headers, body } = request
    const reply = await egress.open({
      method,
      url,
      headers,
      body,
      namedBy: 'admin',
      headersTimeoutMs: limits.headersMs,
      idleTimeoutMs: limits.headersMs,
    })
    const bytes = await readAll(reply.body, limits.errorBodyBytesMax)
    return { status: reply.status, headers: reply.headers, body: bytes }
  }

  return {
    of,
    forget: (channel, key) => void kept.delete(placeOf(channel, key)),
  }
}

/** The address takes part: another one may be another service. */
function placeOf({ id, baseUrl }: Channel, key: string): string {
  return `${id} ${baseUrl} ${key}`
}
