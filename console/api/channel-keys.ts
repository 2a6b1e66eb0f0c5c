/** The keys of a channel: states of several, and the whole text for root's own eyes. */
import { request } from './request.js'
import type { components } from './schema.js'

export type ChannelKey = components['schemas']['ChannelKey']
export type KeyPage = components['schemas']['ChannelKeyPage']

export type OneKeyAction = 'disable_key' | 'enable_key' | 'delete_key'
export type AllKeysAction = 'enable_all_keys' | 'disable_all_keys' | 'delete_disabled_keys'

export interface KeyQuery {
  readonly page: number
  readonly page_size: number
  /** Empty: all. */
  readonly status?: number
}

const path = '/api/channel/multi_key/manage'

export function readKeys(channelId: number, query: KeyQuery): Promise<KeyPage> {
  const body = { channel_id: channelId, action: 'get_key_status', ...query }
  return request('POST', path, { body })
}

/** Answers how many keys were changed, as does the next one. */
export function changeKey(channelId: number, action: OneKeyAction, keyId: number): Promise<number> {
  return request('POST', path, { body: { channel_id: channelId, action, key_id: keyId } })
}

export function changeAllKeys(channelId: number, action: AllKeysAction): Promise<number> {
  return request('POST', path, { body: { channel_id: channelId, action } })
}

/** Several stand in lines. Root alone, and only who has just verified. */
export async function revealKey(channelId: number): Promise<string> {
  const { key } = await request<{ key: string }>('POST', `/api/channel/${channelId}/key`, {
    body: {},
  })
  return key
}
