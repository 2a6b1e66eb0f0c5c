/** Media of the Playground: models with the fields of their requests, what one costs, and tasks of the person who is signed in. */
import { ApiFailure } from './failure.js'
import { failureOf } from './playground.js'
import { doubtPerson, personHeaders, request } from './request.js'
import type { components } from './schema.js'

export type RequestField = components['schemas']['RequestField']
export type Translations = MediaModels['translations'][number]
export type MediaModels = components['schemas']['MediaModels']
export type MediaQuote = components['schemas']['MediaQuote']

export type MediaFields = Readonly<Record<string, unknown>>

/** Of the group; none: of the account's own route. */
export function readMediaModels(group: string): Promise<MediaModels> {
  return request('GET', '/api/media/models', { query: { group } })
}

export interface MediaRequest {
  readonly model: string
  readonly group: string
  readonly fields: MediaFields
}

export function readMediaPrice(
  { model, group, fields }: MediaRequest,
  signal: AbortSignal,
): Promise<MediaQuote> {
  return request('POST', '/api/media/price', { body: { model, group, fields }, signal })
}

export interface TaskResult {
  readonly index: number
  readonly type: 'image' | 'video' | 'audio' | 'text' | 'file'
  readonly url?: string
  readonly text?: string
}

export interface MediaTask {
  readonly task_id: string
  readonly operation: string
  readonly action: string
  readonly model: string
  readonly state: 'submitting' | 'queued' | 'running' | 'unknown' | 'succeeded' | 'failed'
  readonly percent: number
  readonly fail_reason: string
  /** Quota units. */
  readonly quota: number
  readonly cost: number | null
  readonly results: readonly TaskResult[]
  /** What was requested, media left out. */
  readonly request: Readonly<Record<string, unknown>>
  /** Unix seconds. */
  readonly created_at: number
  readonly finish_time: number
  readonly cancellable?: boolean
}

export async function readTasks(signal: AbortSignal): Promise<readonly MediaTask[]> {
  const { tasks } = await called<{ tasks: readonly MediaTask[] }>('GET', '/pg/tasks', { signal })
  return tasks
}

export function cancelTask(id: string): Promise<MediaTask> {
  return called('POST', `/pg/tasks/${encodeURIComponent(id)}/cancel`)
}

/** The task that was accepted; of images what was made. */
export function submitMedia<Answer>(
  operation: string,
  { model, group, fields }: MediaRequest,
): Promise<Answer> {
  const body = { ...fields, model, ...(group !== '' && { group }) }
  return called('POST', `/pg/${operation}/generations`, { body })
}

interface CallOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
}

async function called<Answer>(
  method: 'GET' | 'POST',
  path: string,
  { body, signal }: CallOptions = {},
): Promise<Answer> {
  const response = await sent(method, path, { body, signal })
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Answer
  const failure = failureOf(response, text)
  if (failure.signedOut) doubtPerson()
  throw failure
}

async function sent(method: string, path: string, { body, signal }: CallOptions) {
  try {
    return await fetch(path, {
      method,
      headers: { 'content-type': 'application/json', ...personHeaders() },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: 'same-origin',
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure('The gateway cannot be reached.', 0, 'unreachable')
  }
}
