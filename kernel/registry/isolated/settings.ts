/** The settings of a plugin in its thread: copies, which are sent again after each change. */
import type { JsonObject } from '../../contract/json.js'
import type { Settings } from '../../contract/kit.js'
import type { SettingField } from '../../contract/manifest.js'
import { readSettings } from '../declared-settings.js'

export interface SettingValues {
  readonly all: JsonObject
  /** What `Settings.string` returns, by field. */
  readonly texts: Readonly<Record<string, string>>
}

export function valuesOf(settings: Settings, fields: readonly SettingField[]): SettingValues {
  return {
    all: { ...settings.all },
    texts: Object.fromEntries(fields.map(({ name }) => [name, settings.string(name)])),
  }
}

export interface CopiedSettings {
  readonly settings: Settings
  /** Takes new values and calls whoever listens for a change. */
  update(values: SettingValues): void
}

export function copiedSettings(id: string, first: SettingValues): CopiedSettings {
  const listeners: (() => void)[] = []
  let values = first
  const settings = readSettings(id, {
    all: () => values.all,
    text: (name) => values.texts[name] ?? '',
    onChange: (listener) => void listeners.push(listener),
  })
  return {
    settings,
    update(newer) {
      values = newer
      for (const listener of listeners) listener()
    },
  }
}
