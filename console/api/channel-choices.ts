/** What a channel's form offers to choose from: types with the fields of their providers, groups, models. */
import type { ChannelType, SettingField } from '../../kernel/contract/manifest.js'
import { request } from './request.js'

export interface KnownType extends ChannelType {
  /** Id of the plugin that serves it. */
  readonly plugin: string
  readonly fields: readonly SettingField[]
}

export interface TypeList {
  readonly types: readonly KnownType[]
  /** Titles of plugins by their ids. */
  readonly plugins: ReadonlyMap<string, string>
}

interface Plugins {
  readonly plugins: readonly {
    readonly manifest: { readonly id: string; readonly title: string }
  }[]
  readonly channel_types: readonly KnownType[]
}

export async function readChannelTypes(): Promise<TypeList> {
  const { plugins, channel_types } = await request<Plugins>('GET', '/api/plugins')
  const titles = plugins.map(({ manifest }) => [manifest.id, manifest.title] as const)
  return { types: channel_types, plugins: new Map(titles) }
}

export async function readGroupNames(): Promise<readonly string[]> {
  const groups = await request<readonly { readonly name: string }[]>('GET', '/api/group/all')
  return groups.map(({ name }) => name)
}

/** Names of every model some channel serves or some price is for. */
export async function readKnownModels(): Promise<readonly string[]> {
  const models = await request<readonly { readonly id: string }[]>('GET', '/api/channel/models')
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
