/** The plugins there are. */

import type { LoadedRoute } from '../management.js'
import type { ChannelType, PluginStatus, SettingField } from '../manifest.js'

/** Every plugin, its manifest and state; the shape of the line. */
export interface Catalog {
  list(): readonly PluginStatus[]
  /** What is wrong with entries of `PLUGINS` of which no plugin can be shown, a sentence each. */
  problems(): readonly string[]
  /** The printed line: stages in order, with the guards before and after each. */
  line(): readonly {
    readonly stage: string
    readonly before: readonly string[]
    readonly after: readonly string[]
  }[]
  channelTypes(): readonly (ChannelType & {
    readonly plugin: string
    readonly fields: readonly SettingField[]
  })[]
  /** What endpoints and management areas in use serve; complete once every plugin was created. */
  routes(): readonly LoadedRoute[]
  /** Called, and awaited, after a plugin was switched off or on, or loaded again: what was made of it before may be of an older version. */
  onChange(listener: () => Promise<void> | void): void
}
