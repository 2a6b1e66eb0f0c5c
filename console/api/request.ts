/**
 * The one way to the management API: the family's envelope, its failures as `ApiFailure`, `Retry-After` heeded (LIMIT-8),
 * verification requested where an operation needs it, and a key for every write so that none counts twice (BILL-2).
 */
import { type AnsweredFile, type Envelope, readAnswer, readFile } from './answer.js'
import { ApiFailure } from './failure.js'
import { Gate } from './gate.js'
import { isAway } from './presence.js'
import { solved } from './puzzle.js'
import { doubted as doubtReach, isAbsent, reached } from './reach.js'
import { keyed } from './write-key.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  /** Left out where undefined, null or empty. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The answer renews the session: nothing else may be under way. */
  readonly renewsSession?: boolean
  /** It reads who is signed in, whoever that is. All others are of the person the page is shown to. */
  readonly ofAnyone?: boolean
}

/** What the shell does when a request cannot go on by itself. */
export interface RequestHooks {
  /** Has the person verify; returns the proof for one operation, or undefined where they declined. */
  verify(scope: string): Promise<string | undefined>
  /** A puzzle of the gateway is being solved, or no longer is. */
  solving(isSolving: boolean): void
  /** Id of the person the page is shown to. */
  person(): number | undefined
  /** Nobody is signed in, or by now somebody else, as in another tab of this browser. */
  doubted(): void
  /** The same, for a request that waits: true once the person of the page is signed in again. */
  signedInAgain(isWrite: boolean): Promise<boolean>
}

const puzzlesMax = 3
const gate = new Gate()
const quietUntil = new Map<string, number>()
const nothing = () => undefined
let hooks: RequestHooks = {
  verify: async () => undefined,
  solving: nothing,
  person: nothing,
  doubted: nothing,
  signedInAgain: async () => false,
}

export function setRequestHooks(next: RequestHooks): void {
  hooks = next
}

/** `data` of the answer. Rejects with an `ApiFailure`. */
export async function request<Data>(
  method: Method,
  path: string,
  terms: RequestOptions = {},
): Promise<Data> {
  return (await requestWhole<Data>(method, path, terms)).data
}

/** The same with what stands beside `data`. */
export function requestWhole<Data>(
  method: Method,
  path: string,
  terms: RequestOptions = {},
): Promise<Envelope<Data>> {
  const read = readAnswer<Data>
  if (method === 'GET') return proved(method, path, terms, read)
  const write = JSON.stringify([method, path, terms.query, terms.body])
  return keyed(write, (key) => {
    const headers = { 'idempotency-key': key, ...terms.headers }
    return proved(method, path, { ...terms, headers }, read)
  })
}

/** A file of this media type. A refusal rejects with the sentence of the gateway and saves nothing. */
export function requestFile(path: string, type: string): Promise<AnsweredFile> {
  const headers = { accept: `${type}, application/json` }
  return proved('GET', path, { headers }, (response, signal) => readFile(response, type, signal))
}

type Read<Result> = (response: Response, signal: AbortSignal | undefined) => Promise<Result>

async function proved<Result>(
  method: Method,
  path: string,
  terms: RequestOptions,
  read: Read<Result>,
  mayReturn = terms.ofAnyone !== true,
): Promise<Result> {
  try {
    return await worked(method, path, terms, read)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    if (error.signedOut && mayReturn && (await isBack(error, method, terms))) {
      return proved(method, path, terms, read, false)
    }
    if (error.code !== 'verification_required' || error.scope === undefined) throw error
    const proof = await hooks.verify(error.scope)
    if (proof === undefined) throw error
    const headers = { ...terms.headers, 'x-verification-token': proof }
    return send(method, path, { ...terms, headers }, read)
  }
}

/** A sign-in, and a proof that was wrong, are not for sending once more. */
async function isBack(
  { code }: ApiFailure,
  method: Method,
  { renewsSession }: RequestOptions,
): Promise<boolean> {
  if (code === 'unauthorized' && !renewsSession) return hooks.signedInAgain(method !== 'GET')
  hooks.doubted()
  return false
}

/** Where strangers have tried too often the gateway sets a puzzle, and a harder one where they go on meanwhile. */
async function worked<Result>(
  method: Method,
  path: string,
  terms: RequestOptions,
  read: Read<Result>,
  puzzles = puzzlesMax,
): Promise<Result> {
  try {
    return await send(method, path, terms, read)
  } catch (error) {
    const puzzle = error instanceof ApiFailure ? error.puzzle : undefined
    if (puzzle === undefined || puzzles === 0) throw error
    const solution = await solutionOf(puzzle, terms.signal)
    const headers = { ...terms.headers, 'x-challenge-solution': solution }
    return worked(method, path, { ...terms, headers }, read, puzzles - 1)
  }
}

async function solutionOf(puzzle: string, signal?: AbortSignal): Promise<string> {
  hooks.solving(true)
  try {
    return await solved(puzzle, signal)
  } finally {
    hooks.solving(false)
  }
}

async function send<Result>(
  method: Method,
  path: string,
  terms: RequestOptions,
  read: Read<Result>,
): Promise<Result> {
  const place = `${method} ${path}`
  const left = ((quietUntil.get(place) ?? 0) - Date.now()) / 1000
  if (left > 0) throw tooSoon(Math.ceil(left))
  const run = () => answered(method, path, terms)
  const response = await (terms.renewsSession ? gate.alone(run) : gate.shared(run))
  try {
    return await read(response, terms.signal)
  } catch (error) {
    const wait = error instanceof ApiFailure && error.status === 429 ? error.retryAfter : undefined
    if (wait !== undefined) quietUntil.set(place, Date.now() + wait * 1000)
    throw error
  }
}

async function answered(method: Method, path: string, terms: RequestOptions): Promise<Response> {
  const { query, body, signal, headers } = terms
  try {
    const response = await fetch(`${path}${queryText(query)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method === 'GET' && isAway() && { 'x-session-unused': '1' }),
        ...(terms.ofAnyone !== true && personHeaders()),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: 'same-origin',
    })
    if (isAbsent(response.status)) void doubtReach()
    else reached()
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    void doubtReach()
    throw new ApiFailure('The gateway cannot be reached.', 0, 'unreachable')
  }
}

/** Who the page is shown to: in the name of anybody else the gateway does nothing. */
export function personHeaders(): Readonly<Record<string, string>> {
  const id = hooks.person()
  return id === undefined ? {} : { 'new-api-user': String(id) }
}

/** Called by code that makes its own requests: the gateway knew nobody, or not this person. */
export function doubtPerson(): void {
  hooks.doubted()
}

function queryText(query: RequestOptions['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

function tooSoon(seconds: number): ApiFailure {
  const message = `Too many requests; try again in ${seconds} seconds.`
  return new ApiFailure(message, 429, 'rate_limit_exceeded', undefined, seconds)
}
