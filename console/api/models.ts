/** Entries about models: who makes them, what they are, what they can be called for. */
import type { PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

/** How an entry's name is compared: the whole name, its beginning, any part, its end. */
export const nameRules = ['exact', 'prefix', 'contains', 'suffix'] as const

export type ModelEntry = components['schemas']['ModelEntry']

export type ModelForm = Pick<
  ModelEntry,
  | 'model_name'
  | 'name_rule'
  | 'description'
  | 'icon'
  | 'tags'
  | 'vendor_id'
  | 'endpoints'
  | 'status'
  | 'kind'
  | 'context_length'
  | 'max_output'
  | 'input_modalities'
  | 'output_modalities'
  | 'capabilities'
>

export const modelKinds = [
  ...(['chat', 'completion', 'embedding', 'rerank', 'image', 'speech', 'transcription'] as const),
  ...(['video', 'music', 'realtime', 'moderation', 'ocr'] as const),
]
export const modalities = ['text', 'image', 'audio', 'video', 'embedding', 'score'] as const
export const capabilities = ['tools', 'structured_output', 'reasoning', 'prompt_cache'] as const

export interface ModelFilters {
  readonly keyword: string
  /** Id, `0` for those without one. */
  readonly vendor: string
}

export type ModelPage = components['schemas']['ModelPage']

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
