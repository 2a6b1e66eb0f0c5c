/** Options of the gateway: `/api/option/`. Values come and go as text, so that numbers in JSON keep every digit. */
import { type Manifest, readPlugins } from './plugins.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type Option = components['schemas']['Option']

export interface OptionUpdate {
  readonly key: string
  /** Null takes a secret away. */
  readonly value: string | null
  /** What it was when it was changed: where another text stands by now, nothing is stored and the response is 409. */
  readonly was?: string
}

export function readOptions(): Promise<readonly Option[]> {
  return request('GET', '/api/option/describe')
}

/** All are stored or none. */
export async function putOptions(options: readonly OptionUpdate[]): Promise<void> {
  await request('PUT', '/api/option/', { body: { options } })
}

/** Puts back what the gateway began with: ratios of models, of cache, pictures and sound. */
export async function resetRatios(): Promise<void> {
  await request('POST', '/api/option/rest_model_ratio')
}

export type OptionPlugin = Pick<Manifest, 'id' | 'title' | 'settings' | 'translations'>

/** Who declares options, under what title and in what order. */
export async function readOptionPlugins(): Promise<readonly OptionPlugin[]> {
  const { plugins } = await readPlugins()
  return plugins.map(({ manifest }) => manifest)
}
