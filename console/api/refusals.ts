/** Fields that the upstream of a channel refused as unknown or unsupported. */
import { request } from './request.js'
import type { components } from './schema.js'

export type RefusedField = components['schemas']['RefusedField']

/** Last seen first. */
export function readRefusals(channelId: number): Promise<readonly RefusedField[]> {
  return request('GET', `/api/channel/${channelId}/refusals`)
}

export function clearRefusals(channelId: number): Promise<{ readonly cleared: number }> {
  return request('DELETE', `/api/channel/${channelId}/refusals`)
}
