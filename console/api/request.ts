/**
 * The one way to the management API: the family's envelope, its failures as `ApiFailure`, `Retry-After` heeded (LIMIT-8),
 * verification asked for where an operation needs it, and a key for every write so that none counts twice (BILL-2).
 */
import { drawnKey } from './drawn-key.js'
import { ApiFailure } from './failure.js'
import { Gate } from './gate.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestTerms {
  /** Left out where undefined, null or empty. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The answer renews the session: nothing else may be under way. */
  readonly renewsSession?: boolean
}

export interface Envelope<Data> {
  readonly data: Data
  readonly message: string
  /** Fields the family has beside `data`. */
  readonly beside: Readonly<Record<string, unknown>>
}

/** What the shell does when a request cannot go on by itself. */
export interface RequestHooks {
  /** Has the person verify; answers the proof for one operation, or undefined where they would not. */
  verify(scope: string): Promise<string | undefined>
  /** The session is over. */
  signedOut(): void
}

const gate = new Gate()
const quietUntil = new Map<string, number>()
let hooks: RequestHooks = { verify: async () => undefined, signedOut: () => undefined }

export function setRequestHooks(next: RequestHooks): void {
  hooks = next
}

/** `data` of the answer. Rejects with an `ApiFailure`. */
export async function request<Data>(
  method: Method,
  path: string,
  terms: RequestTerms = {},
): Promise<Data> {
  return (await requestWhole<Data>(method, path, terms)).data
}

/** The same with what stands beside `data`. */
export async function requestWhole<Data>(
  method: Method,
  path: string,
  terms: RequestTerms = {},
): Promise<Envelope<Data>> {
  const keyed = method === 'GET' ? terms : withKey(terms)
  try {
    return await send<Data>(method, path, keyed)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    if (error.signedOut) hooks.signedOut()
    if (error.code !== 'verification_required' || error.scope === undefined) throw error
    const proof = await hooks.verify(error.scope)
    if (proof === undefined) throw error
    const headers = { ...keyed.headers, 'x-verification-token': proof }
    return send<Data>(method, path, { ...keyed, headers })
  }
}

function withKey(terms: RequestTerms): RequestTerms {
  return { ...terms, headers: { 'idempotency-key': drawnKey(), ...terms.headers } }
}

async function send<Data>(
  method: Method,
  path: string,
  terms: RequestTerms,
): Promise<Envelope<Data>> {
  const place = `${method} ${path}`
  const left = ((quietUntil.get(place) ?? 0) - Date.now()) / 1000
  if (left > 0) throw tooSoon(Math.ceil(left))
  const run = () => answered(method, path, terms)
  const response = await (terms.renewsSession ? gate.alone(run) : gate.shared(run))
  const body = await bodyOf(response)
  if (response.ok && body.success !== false) return envelope<Data>(body)
  const failure = failureOf(response, body)
  if (response.status === 429 && failure.retryAfter !== undefined) {
    quietUntil.set(place, Date.now() + failure.retryAfter * 1000)
  }
  throw failure
}

async function answered(method: Method, path: string, terms: RequestTerms): Promise<Response> {
  const { query, body, signal, headers } = terms
  try {
    return await fetch(`${path}${queryText(query)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: 'same-origin',
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure('The gateway cannot be reached.', 0, 'unreachable')
  }
}

export function queryText(query: RequestTerms['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

type Body = Readonly<Record<string, unknown>>

async function bodyOf(response: Response): Promise<Body> {
  try {
    const body: unknown = JSON.parse(await response.text())
    return typeof body === 'object' && body !== null ? (body as Body) : {}
  } catch {
    return {}
  }
}

function envelope<Data>(body: Body): Envelope<Data> {
  const { data, message, success: _, ...beside } = body
  return { data: data as Data, message: String(message ?? ''), beside }
}

function failureOf(response: Response, body: Body): ApiFailure {
  const text = (name: string) => {
    const value = body[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const wait = Number(response.headers.get('retry-after'))
  return new ApiFailure(
    text('message') ?? `The gateway answered ${response.status}.`,
    response.status,
    text('code') ?? '',
    text('field'),
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
    text('scope'),
    response.headers.get('x-request-id') ?? undefined,
  )
}

function tooSoon(seconds: number): ApiFailure {
  const message = `Too many requests; try again in ${seconds} seconds.`
  return new ApiFailure(message, 429, 'rate_limit_exceeded', undefined, seconds)
}
