/** What a channel's form offers to choose from: types with the fields of their providers, groups, models. */
import { readGroups } from './group-admin.js'
import { type Manifest, readPlugins } from './plugins.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type KnownType = components['schemas']['ServedChannelType']

export interface TypeList {
  readonly types: readonly KnownType[]
  /** Titles of plugins by their ids. */
  readonly plugins: ReadonlyMap<string, string>
  /** Ids of plugins that do not come with the gateway. */
  readonly outside: ReadonlySet<string>
  /** Texts that plugins ship in other languages. */
  readonly translations: readonly Manifest['translations'][]
}

export async function readChannelTypes(): Promise<TypeList> {
  const { plugins, channel_types } = await readPlugins()
  const titles = plugins.map(({ manifest }) => [manifest.id, manifest.title] as const)
  const translations = plugins.map(({ manifest }) => manifest.translations)
  const outside = plugins.filter(({ origin }) => origin !== undefined)
  return {
    ...{ types: channel_types, plugins: new Map(titles), translations },
    outside: new Set(outside.map(({ manifest }) => manifest.id)),
  }
}

export async function readGroupNames(): Promise<readonly string[]> {
  return (await readGroups()).map(({ name }) => name)
}

/** Names of every model some channel serves or some price is for. */
export async function readKnownModels(): Promise<readonly string[]> {
  const models = await request<readonly components['schemas']['KnownModel'][]>(
    'GET',
    '/api/channel/models',
  )
  return models.map(({ id }) => id)
}

export interface ModelGroup {
  readonly name: string
  readonly items: readonly string[]
}

/** Named lists of models an admin keeps to fill forms from. */
export async function readModelGroups(): Promise<readonly ModelGroup[]> {
  return request('GET', '/api/prefill_group/', { query: { type: 'model' } })
}
