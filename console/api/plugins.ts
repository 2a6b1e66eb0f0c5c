/** What the gateway is made of: its plugins, and the line every request runs through. */
import type { PluginStatus } from '../../kernel/contract/manifest.js'
import { request } from './request.js'

export type {
  Manifest,
  PluginState,
  PluginStatus,
} from '../../kernel/contract/manifest.js'

/** A stage of the line, with the names of the guards before and after it. */
export interface LineStage {
  readonly stage: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface Plugins {
  readonly plugins: readonly PluginStatus[]
  readonly line: readonly LineStage[]
}

export function readPlugins(signal?: AbortSignal): Promise<Plugins> {
  return request('GET', '/api/plugins', { signal })
}
