/**
 * Settings of a plugin nobody stores values for: what its manifest declares as default, and nothing that changes.
 * The options service and what it requires live on these.
 */
import type { Json, JsonObject } from '../contract/json.js'
import { isObject } from '../contract/json.js'
import type { Settings } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'

export function declaredSettings(manifest: Manifest): Settings {
  const all: JsonObject = Object.freeze(
    Object.fromEntries(manifest.settings.map((field) => [field.name, field.default])),
  )

  function read(name: string): Json | undefined {
    if (!Object.hasOwn(all, name)) throw new Error(`${manifest.id} declares no setting "${name}"`)
    return all[name]
  }

  return Object.freeze({
    all,
    string(name: string) {
      const value = read(name)
      return typeof value === 'string' ? value : ''
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
    onChange() {},
  })
}
