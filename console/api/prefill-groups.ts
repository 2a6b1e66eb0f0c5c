/** Named lists of models, tags or endpoints that forms are filled from. */
import { request } from './request.js'
import type { components } from './schema.js'

export const listTypes = ['model', 'tag', 'endpoint'] as const
export type ListType = (typeof listTypes)[number]

export type PrefillList = components['schemas']['PrefillGroup']

export type PrefillForm = Omit<PrefillList, 'id'>

export function readPrefillLists(type?: ListType): Promise<readonly PrefillList[]> {
  return request('GET', '/api/prefill_group/', { query: { type } })
}

export function createPrefillList(form: PrefillForm): Promise<PrefillList> {
  return request('POST', '/api/prefill_group/', { body: form })
}

/** What is left out stays. */
export function updatePrefillList(id: number, form: Partial<PrefillForm>): Promise<PrefillList> {
  return request('PUT', '/api/prefill_group/', { body: { ...form, id } })
}

export async function deletePrefillList(id: number): Promise<void> {
  await request('DELETE', `/api/prefill_group/${id}`)
}

/** Names of a list, whichever shape it has. */
export function itemNames({ items }: Pick<PrefillList, 'items'>): readonly string[] {
  return Array.isArray(items) ? items : Object.keys(items)
}
