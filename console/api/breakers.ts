/** The health of channels as the answering process sees it: latencies, and who is left alone for now. */
import type { Page } from './page.js'
import { request } from './request.js'

export interface ChannelHealth {
  readonly channel_id: number
  /** Milliseconds to the first content of the last responses, oldest first. */
  readonly latencies: readonly number[]
  readonly open: number
  readonly half_open: number
  readonly parked: number
  /** Unix seconds from which the first of them is tried again. */
  readonly retry_at: number
  readonly reason: string
}

export function readHealth(
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<readonly ChannelHealth[]> {
  return request('GET', '/api/channel/health', { query: { ids: ids.join(',') }, signal })
}

export interface Breaker {
  readonly channel_id: number
  readonly key_id: number
  /** Empty: every model of the key. */
  readonly model: string
  readonly state: 'open' | 'half-open' | 'parked'
  readonly failures: number
  readonly outcomes: number
  readonly retry_at: number
  readonly reason: string
}

/** None named: of every channel. */
export function readBreakers(channelId?: number): Promise<Page<Breaker>> {
  return request('GET', '/api/channel/breakers', {
    query: { channel_id: channelId, page_size: 100 },
  })
}

/** Of the whole channel, or of one key and model. */
export function resetBreakers(
  channelId: number,
  which: { readonly key_id?: number; readonly model?: string } = {},
): Promise<{ readonly reset: number }> {
  return request('POST', `/api/channel/${channelId}/breakers/reset`, { body: which })
}
