/** The health of channels as the answering process sees it: latencies, and who is left alone for now. */
import type { Page } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type ChannelHealth = components['schemas']['ChannelHealth']

export function readHealth(
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<readonly ChannelHealth[]> {
  return request('GET', '/api/channel/health', { query: { ids: ids.join(',') }, signal })
}

export type Breaker = components['schemas']['Breaker']

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
