/** Chat of the signed-in user (FMT-15), the groups and models they may choose, and what an answer cost. */
import { ApiFailure } from './failure.js'
import { isPriced, logTypes, readLog } from './logs.js'
import { doubtPerson, personHeaders, request } from './request.js'

export interface PlaygroundGroup {
  readonly name: string
  readonly about: string
  /** `auto` for a route, which costs what the serving group costs. */
  readonly ratio: number | 'auto'
}

export async function readGroups(): Promise<readonly PlaygroundGroup[]> {
  type Found = Readonly<Record<string, { readonly ratio: number | 'auto'; readonly desc: string }>>
  const found = await request<Found>('GET', '/api/user/self/groups')
  return Object.entries(found).map(([name, { ratio, desc }]) => ({ name, ratio, about: desc }))
}

/** Of the group; none: of the account's own route. */
export function readModels(group: string): Promise<readonly string[]> {
  return request('GET', '/api/user/models', { query: { group } })
}

/** Quota that a request cost, as text; undefined: the usage log has no row of it (yet). */
export async function readCharge(requestId: string): Promise<string | undefined> {
  const { items } = await readLog('own', { p: 1, page_size: 10, request_id: requestId })
  const priced = items.filter(isPriced)
  if (priced.length === 0) return undefined
  const sum = priced.reduce(
    (sum, { type, quota }) => sum + (type === logTypes.refund ? -BigInt(quota) : BigInt(quota)),
    0n,
  )
  return String(sum)
}

const playgroundPath = '/pg/chat/completions'

/** Until when nothing is sent to a model, Unix milliseconds (LIMIT-8). */
const quietUntil = new Map<string, number>()

/** The answer's head, with status 2xx. Rejects with an `ApiFailure`, or with the reason of `signal`. */
export async function openChat(
  body: string,
  model: string,
  signal: AbortSignal,
): Promise<Response> {
  const left = Math.ceil(((quietUntil.get(model) ?? 0) - Date.now()) / 1000)
  if (left > 0) {
    throw new ApiFailure(`Too many requests; try again in ${left} seconds.`, ...tooMany(left))
  }
  const response = await sent(body, signal)
  if (response.ok) return response
  const failure = failureOf(response, await response.text())
  if (failure.signedOut) doubtPerson()
  if (failure.status === 429 && failure.retryAfter !== undefined) {
    quietUntil.set(model, Date.now() + failure.retryAfter * 1000)
  }
  throw failure
}

function tooMany(seconds: number) {
  return [429, 'rate_limit_exceeded', undefined, seconds] as const
}

async function sent(body: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(playgroundPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...personHeaders() },
      body,
      signal,
      credentials: 'same-origin',
    })
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new ApiFailure('The gateway cannot be reached.', 0, 'unreachable')
  }
}

export interface ChatError {
  readonly message: string
  readonly code: string
  /** The field that is at fault. */
  readonly param?: string
}

/** The error a body or an event carries (ERR-1); undefined: it carries none. */
export function chatErrorOf(value: unknown): ChatError | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { error } = value as { readonly error?: unknown }
  if (typeof error === 'string') return { message: error, code: '' }
  if (typeof error !== 'object' || error === null) return undefined
  const { message, code, type, param } = error as Readonly<Record<string, unknown>>
  return {
    ...{ message: String(message ?? ''), code: String(code || type || '') },
    ...(typeof param === 'string' && { param }),
  }
}

/** Of an answer in the chat format. */
export function failureOf({ status, headers }: Response, text: string): ApiFailure {
  const error = chatErrorOf(parsed(text))
  const wait = Number(headers.get('retry-after'))
  return new ApiFailure(
    error?.message || `The gateway answered ${status}.`,
    status,
    error?.code ?? '',
    error?.param,
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
    undefined,
    headers.get('x-request-id') ?? undefined,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
