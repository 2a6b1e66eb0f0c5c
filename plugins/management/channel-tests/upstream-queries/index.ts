/**
 * Puts a provider's questions to an upstream: with the credentials its calls carry, page by page, within bounds. Whatever
 * goes wrong is a failure in safe words; nothing of an upstream's raw answer goes any further (ERR-2).
 */

import type { Failure } from '../../../../kernel/contract/failure.js'
import type { Channel, ChannelKey } from '../../../../kernel/contract/line/channel.js'
import type { WholeAnswer } from '../../../../kernel/contract/operation.js'
import type { Credentials, UpstreamQuery } from '../../../../kernel/contract/provider.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import {
  EgressError,
  failureOf,
  faultFields,
  internalFailure,
  maskedBody,
  maskedFailure,
  PluginFault,
  Refusal,
} from '../../../../kernel/toolkit/errors/index.js'
import { decimalOf, sumOf } from '../../../../kernel/toolkit/json/index.js'
import { wholeAnswer } from './call.js'
import { tidied } from './names.js'
import type { QueryResult, UpstreamQueries } from './upstream-queries.js'

export type * from './upstream-queries.js'

const pagesMax = 50
const namesMax = 20_000

interface Question {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly verb: 'models' | 'balance'
}

/** A query with its channel, key and provider. */
interface QuerySubject<T> {
  readonly channel: Channel
  readonly query: UpstreamQuery<T>
  readonly credentials: Credentials
}

export type QueryKit = Pick<
  Kit<'credentials' | 'egress' | 'providers'>,
  'services' | 'clock' | 'log'
>

export function createUpstreamQueries({ services, clock, log }: QueryKit): UpstreamQueries {
  const { credentials, providers } = services
  const parts = { ...services, clock }

  function models(channel: Channel, key: ChannelKey) {
    return ask<readonly string[]>({ channel, key, verb: 'models' }, (pages) => tidied(pages.flat()))
  }

  /** The parts of a balance are added up. */
  function balance(channel: Channel, key: ChannelKey) {
    return ask<string>({ channel, key, verb: 'balance' }, (pages) => pages.reduce(added, '0'))
  }

  async function ask<T>(
    { channel, key, verb }: Question,
    join: (pages: readonly T[]) => T,
  ): Promise<QueryResult<T> | undefined> {
    try {
      await providers.warm(channel.type)
      // The verb decides which of the two it is.
      const query = providers.provider(channel.type)?.[verb] as UpstreamQuery<T> | undefined
      if (query === undefined) return undefined
      const authorized = await credentials.of(channel, key.text)
      if ('failure' in authorized) return { failure: authorized.failure }
      const reported = await allPages({ channel, query, credentials: authorized })
      if ('value' in reported) return { value: join(reported.value) }
      if (isForbidden(reported.failure)) credentials.forget(channel, key.text)
      return { failure: maskedFailure(reported.failure, key.text, authorized.token ?? '') }
    } catch (error) {
      return { failure: failureFrom(error, channel) }
    }
  }

  async function allPages<T>({
    channel,
    query,
    credentials,
  }: QuerySubject<T>): Promise<QueryResult<readonly T[]>> {
    const pages: T[] = []
    const requested = new Set<string | undefined>()
    let page: string | undefined
    do {
      // A list that goes round in a circle has no end either.
      if (requested.size >= pagesMax || requested.has(page)) throw new Refusal('upstream_too_large')
      requested.add(page)
      const context = { now: clock.now(), ...(page !== undefined && { page }) }
      const request = query.request(channel, credentials, context)
      const answer = await wholeAnswer(channel, request, parts)
      const read = query.read(isFine(answer) ? answer : withoutKey(answer, credentials))
      if ('failure' in read) return read
      pages.push(read.value)
      // A list cut off would make everything behind the cut look gone.
      if (pages.flat().length > namesMax) throw new Refusal('upstream_too_large')
      page = read.next
    } while (page !== undefined)
    return { value: pages }
  }

  /** Of an unknown error nothing is shown but its name: it may quote what it could not read. */
  function failureFrom(error: unknown, { id: channelId }: Channel): Failure {
    if (error instanceof EgressError) return error.failure
    if (error instanceof Refusal) return { ...failureOf(error), blame: 'channel' }
    if (error instanceof PluginFault) {
      log.error({ ...faultFields(error), channelId }, 'a provider could not ask its upstream')
      return internalFailure()
    }
    const fault = error instanceof Error ? error.name : typeof error
    log.error({ channelId, fault }, 'a provider could not ask its upstream')
    return failureOf(new Refusal('internal_error'))
  }

  return { models, balance }
}

function added(one: string, other: string): string {
  const amount = decimalOf(other)
  const sum = amount && sumOf(one, amount)
  if (sum === undefined) throw new Refusal('upstream_error', { reason: 'its balance is absurd.' })
  return sum
}

function isFine({ status }: WholeAnswer): boolean {
  return status >= 200 && status < 300
}

/** Before it is cut or masked by its shape, which may leave half a key. */
function withoutKey(answer: WholeAnswer, { key, token = '' }: Credentials): WholeAnswer {
  return { ...answer, body: maskedBody(answer.body, key, token) }
}

function isForbidden({ status }: Failure): boolean {
  return status === 401 || status === 403
}
