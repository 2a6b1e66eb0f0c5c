/**
 * What questions to upstreams share: the call, a GET with a bearer key; and the reading of an answer, which is a value
 * or a failure and never an exception.
 */
import type { Failure } from '../../contract/failure.js'
import type { JsonObject } from '../../contract/json.js'
import type { WholeAnswer } from '../../contract/operation.js'
import type {
  Adapter,
  ChannelView,
  Credentials,
  UpstreamQuery,
  UpstreamRequest,
} from '../../contract/provider.js'
import { failureOfError, nestedError } from '../errors/upstream-failure.js'
import { amountsIn } from '../json/decimal.js'
import { replyObject } from '../json/reply.js'
import { upstreamUrl } from './address.js'

type Fail = Adapter['fail']

export type Read<T> = ReturnType<UpstreamQuery<T>['read']>

/** One page of names; what is no name is left out. */
export interface NamePage {
  readonly names: readonly (string | undefined)[]
  readonly next?: string
}

const headBytesMax = 1024 * 1024
/** An answer about money is a few hundred bytes long. */
const amountBytesMax = 64 * 1024

/** `extra` headers of undefined or empty value are left out; names are lower case. */
export function bearerGet(
  url: string,
  { key, token }: Credentials,
  extra: Readonly<Record<string, string | undefined>> = {},
): UpstreamRequest {
  const headers: Record<string, string> = {
    accept: 'application/json',
    authorization: `Bearer ${(token ?? key).trim()}`,
  }
  for (const name in extra) {
    const value = extra[name]
    if (value) headers[name] = value
  }
  return { method: 'GET', url, headers }
}

/**
 * The list of models most upstreams have: one page of `{data: [{id}]}` behind a bearer key, at this path of the
 * channel's own base, or the one the provider names.
 */
export function bearerList(
  place: string | ((channel: ChannelView) => string),
  fail: Fail,
): UpstreamQuery<readonly string[]> {
  const urlOf = (channel: ChannelView) =>
    typeof place === 'string' ? upstreamUrl(channel.baseUrl, place) : place(channel)
  return {
    request: (channel, credentials) => bearerGet(urlOf(channel), credentials),
    read: (answer) => readNames(answer, fail),
  }
}

/** `pick` returns undefined for a body that is no list. */
export function readNames(
  answer: WholeAnswer,
  fail: Fail,
  pick: (body: JsonObject) => NamePage | undefined = listedIds,
): Read<readonly string[]> {
  if (!isFine(answer)) return { failure: refused(answer, fail) }
  const body = replyObject(answer.body)
  const page = body && pick(body)
  if (page === undefined) return { failure: unread(body) }
  const value = page.names.filter((name) => name !== undefined && name !== '') as string[]
  return page.next === undefined ? { value } : { value, next: page.next }
}

/** `{data: [{id}]}` */
export function listedIds({ data }: JsonObject): NamePage | undefined {
  return fieldOfEach(data, 'id')
}

/** One text field of every object of a list; undefined where there is no list. */
export function fieldOfEach(list: unknown, field: string): NamePage | undefined {
  if (!Array.isArray(list)) return undefined
  return { names: list.map((item: unknown) => textField(item, field)) }
}

function textField(item: unknown, field: string): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const value: unknown = (item as JsonObject)[field]
  return typeof value === 'string' ? value : undefined
}

/**
 * Money. `pick` sees every number as the text it is written in and returns a plain decimal, why there is none, or
 * undefined for a body that is no such answer.
 */
export function readAmount(
  answer: WholeAnswer,
  fail: Fail,
  pick: (body: JsonObject) => Read<string> | undefined,
): Read<string> {
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    return { failure: { ...refused(answer, fail), message: noBalance } }
  }
  if (!isFine(answer)) return { failure: refused(answer, fail) }
  const { length } = answer.body
  const body = length > amountBytesMax ? undefined : amountsIn(answer.body.toString('utf8'))
  return (body && pick(body)) ?? { failure: unread(body) }
}

/** Keys that may send requests often may not read the balance. */
const noBalance = 'The upstream does not tell its balance to this key.'

/** An account in a currency other than the one balances are kept in. */
export function otherCurrency(amount: string, currency: string): Failure {
  const reported = /^[A-Z]{3}$/.test(currency) ? currency : 'another currency'
  const message = `The account holds ${amount} ${reported}; balances are kept in US dollars only.`
  return { blame: 'channel', status: 200, code: 'upstream_error', message }
}

function isFine({ status }: WholeAnswer): boolean {
  return status >= 200 && status < 300
}

/** No client is involved, so nothing is a client's fault, and the upstream's message is for the operator. */
function refused({ status, headers, body }: WholeAnswer, fail: Fail): Failure {
  const failure = fail(status, headers, body.subarray(0, headBytesMax))
  if (failure.blame !== 'client') return failure
  const { message, retryAfterMs } = failure
  const plain = failureOfError({ blame: 'channel' }, status)
  return { ...plain, upstreamMessage: message, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** An error in the place of an answer, or nothing that can be read. */
function unread(body: JsonObject | undefined): Failure {
  const fields = (body && nestedError(body)) ?? {}
  return failureOfError({ ...fields, blame: 'upstream' }, 200)
}
