/** One plugin's live view of its options: by the names it declared, defaults filled in. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Log, Settings } from '../../../kernel/contract/kit.js'
import type { Manifest, SettingField } from '../../../kernel/contract/manifest.js'
import { keyOf } from './option-registry.js'
import { defaultText, typedValue } from './option-value.js'
import type { OptionValues } from './option-values.js'

export function settingsView(manifest: Manifest, values: OptionValues, log: Log): Settings {
  const fields = new Map(manifest.settings.map((field) => [field.name, viewed(manifest, field)]))
  const keys = [...fields.values()].map(({ key }) => key)
  let all: JsonObject | undefined

  values.listen(keys, () => {
    all = undefined
  })

  function fieldOf(name: string): Viewed {
    const found = fields.get(name)
    if (found === undefined) throw new Error(`${manifest.id} declares no setting ${name}.`)
    return found
  }

  function read(name: string): Json {
    const { key, type, fallback } = fieldOf(name)
    return values.value(key, type) ?? fallback.value
  }

  function mismatch(name: string, wanted: string): Error {
    return new Error(`The setting ${name} of ${manifest.id} is no ${wanted}.`)
  }

  return {
    get all() {
      all ??= Object.fromEntries([...fields.keys()].map((name) => [name, read(name)]))
      return all
    },
    string(name) {
      const { key, fallback } = fieldOf(name)
      return values.text(key) ?? fallback.text
    },
    number(name) {
      const value = read(name)
      if (typeof value !== 'number') throw mismatch(name, 'number')
      return value
    },
    boolean(name) {
      const value = read(name)
      if (typeof value !== 'boolean') throw mismatch(name, 'boolean')
      return value
    },
    json(name) {
      const value = read(name)
      if (!isObject(value)) throw mismatch(name, 'object')
      return value
    },
    onChange(listener) {
      values.listen(keys, () => {
        try {
          listener()
        } catch (error) {
          log.error(
            { err: error, plugin: manifest.id },
            'a plugin failed to take over its settings',
          )
        }
      })
    },
  }
}

interface Viewed {
  readonly key: string
  readonly type: SettingField['type']
  readonly fallback: { readonly text: string; readonly value: Json }
}

function viewed(manifest: Manifest, field: SettingField): Viewed {
  const text = defaultText(field)
  const value = typedValue(field.type, text)
  return { key: keyOf(manifest, field), type: field.type, fallback: { text, value } }
}
