/** Channels: where calls go (`/api/channel/`). Documents come and go as JSON text, so that no number in them is rounded. */
import type { PageQuery } from './page.js'
import { request, requestWhole } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']
type ListedChannel = Schemas['Channel']

export interface Channel extends ListedChannel {
  /** Channels of the same tag; absent where the page is not over tags. Set by the console. */
  readonly tag_total?: number
}

export type ChannelPage = Schemas['ChannelPage']

export type CreateMode = 'single' | 'batch' | 'multi_to_single'
export type KeyOrder = 'random' | 'polling'

export interface Creation {
  readonly mode: CreateMode
  readonly multi_key_mode: KeyOrder
  readonly batch_add_set_key_prefix_2_name: boolean
  readonly channel: object
}

export function readChannels(query: PageQuery, signal: AbortSignal): Promise<ChannelPage> {
  return request('GET', '/api/channel/', { query, signal })
}

/** Those a word fits or a number is of, the first few. */
export async function findChannels(
  keyword: string,
  signal?: AbortSignal,
): Promise<readonly Pick<Channel, 'id' | 'name'>[]> {
  const query = { keyword, p: 1, page_size: 20, status: 'all' }
  return (await request<ChannelPage>('GET', '/api/channel/search', { query, signal })).items
}

export function readChannel(id: number): Promise<Channel> {
  return request('GET', `/api/channel/${id}`)
}

export interface Made {
  /** Absent where a batch made several. */
  readonly channel?: Channel
  readonly count: number
}

export async function createChannel(creation: Creation): Promise<Made> {
  const path = '/api/channel/'
  const { data, beside } = await requestWhole<Channel | null>('POST', path, { body: creation })
  return { channel: data ?? undefined, count: Array.isArray(beside.ids) ? beside.ids.length : 1 }
}

export interface ChannelChanges {
  readonly id: number
  /** Members as they were shown: where one is another by now nothing is written (`conflict`). */
  readonly seen?: Partial<Channel>
}

/** What is left out stays. */
export function updateChannel(changes: ChannelChanges): Promise<Channel> {
  return request('PUT', '/api/channel/', { body: changes })
}

export function switchChannel(id: number, on: boolean): Promise<boolean> {
  return request('POST', `/api/channel/${id}/status`, { body: { status: on ? 1 : 2 } })
}

/** Each of these returns how many channels it found. */
export function switchChannels(ids: readonly number[], on: boolean): Promise<number> {
  return request('POST', '/api/channel/status/batch', { body: { ids, status: on ? 1 : 2 } })
}

/** By ids, or as many as a filter finds. */
export type WhichChannels =
  | { readonly ids: readonly number[] }
  | { readonly filter: object; readonly expected: number }

export function deleteChannels(which: WhichChannels): Promise<number> {
  return request('POST', '/api/channel/batch', { body: which })
}

export interface ManyChanges {
  readonly models?: Readonly<Record<string, readonly string[]>>
  readonly groups?: Readonly<Record<string, readonly string[]>>
  readonly priority?: number
  readonly weight?: number
  readonly tag?: string
  /** Blank takes it away. */
  readonly cost_factor?: string
  readonly status?: number
}

export type EditedMany = Schemas['EditedChannels']

export function changeChannels(which: WhichChannels, changes: ManyChanges): Promise<EditedMany> {
  return request('POST', '/api/channel/batch/edit', { body: { ...which, changes } })
}

export function deleteDisabledChannels(): Promise<number> {
  return request('DELETE', '/api/channel/disabled')
}

export function deleteChannel(id: number): Promise<null> {
  return request('DELETE', `/api/channel/${id}`)
}

export function copyChannel(id: number): Promise<{ readonly id: number }> {
  return request('POST', `/api/channel/copy/${id}`, { body: {} })
}

export function switchTag(tag: string, on: boolean): Promise<number> {
  return request('POST', `/api/channel/tag/${on ? 'enabled' : 'disabled'}`, { body: { tag } })
}

/** What is left out or null stays. */
export interface TagChanges {
  readonly tag: string
  readonly new_tag?: string | null
  readonly priority?: number | null
  readonly weight?: number | null
  readonly models?: readonly string[] | null
  readonly groups?: readonly string[] | null
  /** JSON text. */
  readonly model_mapping?: string | null
  readonly param_override?: string | null
  readonly header_override?: string | null
}

export function changeTag(changes: TagChanges): Promise<number> {
  return request('PUT', '/api/channel/tag', { body: changes })
}

/** Has every process read its channels again. */
export function rereadChannels(): Promise<Schemas['RereadChannels']> {
  return request('POST', '/api/channel/fix', { body: {} })
}
