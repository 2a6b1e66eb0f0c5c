/** Tests of channels and questions to their upstreams, one at a time or as a run over all in the background. */
import { ApiFailure } from './failure.js'
import { request, requestWhole } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export interface TestOptions {
  /** Empty: the channel's own choice. */
  readonly model?: string
  /** Empty: by what the model can be called for. */
  readonly endpoint_type?: string
  readonly stream?: boolean
  readonly key_index?: number
}

export interface TestOutcome {
  readonly ok: boolean
  readonly message: string
  readonly model: string
  /** Milliseconds until the whole answer was there. */
  readonly ms?: number
  /** Until its first content. */
  readonly firstMs?: number
}

/** A test that failed is an outcome; rejects only where the gateway requires a pause, or cannot be reached. */
export async function testChannel(
  id: number,
  terms: TestOptions = {},
  signal?: AbortSignal,
): Promise<TestOutcome> {
  try {
    const { data } = await requestWhole<Schemas['ChannelTest']>('GET', `/api/channel/test/${id}`, {
      query: { ...terms },
      signal,
    })
    const { model, response_ms: ms, first_ms: firstMs } = data
    return { ok: true, message: '', model, ms, firstMs: firstMs ?? undefined }
  } catch (error) {
    const isReply = error instanceof ApiFailure && error.status > 0
    if (!isReply || error.status === 429 || error.signedOut) throw error
    return { ok: false, message: error.message, model: terms.model ?? '' }
  }
}

/** A run over all channels. Reports while it goes on have no `failures`. */
export type RunProgress = Omit<Schemas['RunProgress'], 'failures'> &
  Partial<Pick<Schemas['RunProgress'], 'failures'>>

export type RunName = 'tests' | 'balances' | 'updates'

const progressPaths: Readonly<Record<RunName, string>> = {
  tests: '/api/channel/test/progress',
  balances: '/api/channel/update_balance/progress',
  updates: '/api/channel/upstream_updates/progress',
}

export function readRun(run: RunName): Promise<RunProgress> {
  return request('GET', progressPaths[run])
}

export function startRun(run: RunName): Promise<RunProgress> {
  if (run === 'tests') return request('GET', '/api/channel/test')
  if (run === 'balances') return request('GET', '/api/channel/update_balance')
  return request('POST', '/api/channel/upstream_updates/detect_all', { body: {} })
}

export function updateBalance(id: number): Promise<{ readonly balance: number }> {
  return request('GET', `/api/channel/update_balance/${id}`)
}

export function fetchModels(id: number): Promise<readonly string[]> {
  return request('GET', `/api/channel/fetch_models/${id}`)
}

/** Of a channel nobody has saved yet. */
export function fetchDraftModels(draft: {
  readonly type: number
  readonly key: string
  readonly base_url: string
  readonly settings: object
}): Promise<readonly string[]> {
  return request('POST', '/api/channel/fetch_models', { body: draft })
}

export type Difference = Pick<Schemas['UpstreamDifference'], 'added' | 'removed'>

/** What the upstream has that the channel's list has not, and the other way round. */
export function detectUpdates(id: number): Promise<Difference> {
  return request('POST', '/api/channel/upstream_updates/detect', { body: { id } })
}

export function applyUpdates(
  id: number,
  { added, removed }: Difference,
): Promise<Schemas['AppliedModels']> {
  const body = { id, add: added, remove: removed }
  return request('POST', '/api/channel/upstream_updates/apply', { body })
}

export function applyAllUpdates(): Promise<Schemas['AppliedUpdates']> {
  return request('POST', '/api/channel/upstream_updates/apply_all', { body: {} })
}

export type RequestResult = Schemas['RequestResult']

/** Names of the requests of a full test, in their order. */
export function readFullRequests(): Promise<readonly string[]> {
  return request('GET', '/api/channel/test/requests')
}

/** Sends one of them to a channel. */
export async function sendFullRequest(
  id: number,
  { name, model }: { readonly name: string; readonly model: string },
  signal?: AbortSignal,
): Promise<RequestResult> {
  const body = { model, only: [name] }
  const path = `/api/channel/test/${id}/full`
  const { results } = await request<{ readonly results: readonly RequestResult[] }>('POST', path, {
    body,
    signal,
  })
  return results[0]!
}
