/**
 * Settings that do not change: of a plugin nobody stores values for, what its manifest declares as default (the options
 * service and what it requires live on these); of a copy an admin defined, what it was defined with.
 */
import type { Json, JsonObject } from '../contract/json.js'
import { isObject } from '../contract/json.js'
import type { Settings } from '../contract/kit.js'
import type { Manifest, SettingField } from '../contract/manifest.js'

export function declaredSettings({ id, settings }: Manifest): Settings {
  return fixedSettings(id, valuesOf(settings, {}))
}

/** Settings of one more copy of a plugin, whose values somebody else keeps; a field that is left out has its default. */
export function givenSettings({ id, instanceSettings }: Manifest, values: JsonObject): Settings {
  return fixedSettings(id, valuesOf(instanceSettings, values))
}

function valuesOf(fields: readonly SettingField[], values: JsonObject): JsonObject {
  return Object.freeze(
    Object.fromEntries(fields.map(({ name, default: usual }) => [name, values[name] ?? usual])),
  )
}

function fixedSettings(id: string, all: JsonObject): Settings {
  const text = (name: string) => {
    const value = all[name]
    return typeof value === 'string' ? value : ''
  }
  return readSettings(id, { all: () => all, text, onChange() {} })
}

export interface SettingsReading extends Pick<Settings, 'onChange'> {
  all(): JsonObject
  /** The text of a field, as `Settings.string` returns it. */
  text(name: string): string
}

/** Settings that read values kept elsewhere. */
export function readSettings(id: string, { all, text, onChange }: SettingsReading): Settings {
  function read(name: string): Json | undefined {
    const values = all()
    if (!Object.hasOwn(values, name)) throw new Error(`${id} declares no setting "${name}"`)
    return values[name]
  }

  return Object.freeze({
    get all() {
      return all()
    },
    string(name: string) {
      read(name)
      return text(name)
    },
    number(name: string) {
      const value = read(name)
      return typeof value === 'number' ? value : 0
    },
    boolean: (name: string) => read(name) === true,
    json(name: string) {
      const value = read(name)
      return isObject(value) ? value : {}
    },
    onChange,
  })
}
