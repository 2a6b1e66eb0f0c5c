/** Entries about models: who makes them, what they are, what they can be called for. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'

/** How an entry's name is compared: the whole name, its beginning, any part, its end. */
export const nameRules = ['exact', 'prefix', 'contains', 'suffix'] as const

export interface ModelEntry {
  readonly id: number
  readonly model_name: string
  /** Place in `nameRules`. */
  readonly name_rule: number
  readonly description: string
  readonly icon: string
  /** With commas between them. */
  readonly tags: string
  /** 0: none. */
  readonly vendor_id: number
  readonly vendor_name: string
  /** JSON text: a list of types, or an object of type and address. Empty: derived from the name. */
  readonly endpoints: string
  /** 1: on. */
  readonly status: number
  /** The first channels that serve it, and how many there are. */
  readonly bound_channels: readonly { readonly id: number; readonly name: string }[]
  readonly bound_count: number
  readonly enable_groups: readonly string[]
  /** 0: by tokens. 1: by call. */
  readonly quota_types: readonly number[]
  readonly matched_models: readonly string[]
  readonly matched_count: number
}

export interface ModelForm {
  readonly model_name: string
  readonly name_rule: number
  readonly description: string
  readonly icon: string
  readonly tags: string
  readonly vendor_id: number
  readonly endpoints: string
  readonly status: number
}

export interface ModelFilters {
  readonly keyword: string
  /** Id, `0` for those without one. */
  readonly vendor: string
}

export interface ModelPage extends Page<ModelEntry> {
  /** By id of the vendor; 0: those without one, and `all`. */
  readonly vendor_counts: Readonly<Record<string, number>>
}

export function readModels(
  query: PageQuery & ModelFilters,
  signal?: AbortSignal,
): Promise<ModelPage> {
  return request('GET', '/api/models/', { query, signal })
}

/** Names some channel serves and no entry speaks for. */
export function readMissingModels(): Promise<readonly string[]> {
  return request('GET', '/api/models/missing')
}

export function createModel(
  form: Partial<ModelForm> & Pick<ModelForm, 'model_name'>,
): Promise<ModelEntry> {
  return request('POST', '/api/models/', { body: form })
}

export function updateModel(id: number, form: Partial<ModelForm>): Promise<ModelEntry> {
  return request('PUT', '/api/models/', { body: { ...form, id } })
}

export async function deleteModel(id: number): Promise<void> {
  await request('DELETE', `/api/models/${id}`)
}
