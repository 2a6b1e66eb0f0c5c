/** What the gateway is made of: its plugins, and the line every request runs through. */
import { request } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export type Plugins = Schemas['PluginOverview']
export type PluginStatus = Schemas['PluginStatus']
export type PluginState = PluginStatus['state']
export type Manifest = Schemas['PluginManifest']
/** A stage of the line, with the names of the guards before and after it. */
export type LineStage = Schemas['LineStage']

export function switchPlugin(id: string, on: boolean): Promise<void> {
  return request('PUT', '/api/plugins/state', { body: { id, on } })
}

export function reloadPlugin(id: string): Promise<void> {
  return request('POST', '/api/plugins/reload', { body: { id } })
}

export function readPlugins(signal?: AbortSignal): Promise<Plugins> {
  return request('GET', '/api/plugins', { signal })
}
