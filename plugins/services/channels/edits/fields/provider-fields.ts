/** The provider's own fields of a channel: checked by the types its manifest declares, secrets sealed. */
import type { Json, JsonObject } from '../../../../../kernel/contract/json.js'
import { isObject } from '../../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../../kernel/contract/manifest.js'
import { Refusal } from '../../../../../kernel/toolkit/errors/index.js'

const bytesMax = 65_536

export interface StoreOptions {
  readonly fields: readonly SettingField[]
  /** Settings stored so far: a secret sent blank keeps what it was. */
  readonly stored: JsonObject
  seal(field: string, secret: string): string
}

/** What is stored. Fields the manifest does not declare pass as they are. Throws `invalid_field`. */
export function storedSettings(settings: JsonObject, dependencies: StoreOptions): JsonObject {
  const declared = dependencies.fields
    .map((field) => [field.name, storedField(field, settings[field.name], dependencies)] as const)
    .filter(([, value]) => value !== undefined)
  const names = new Set(dependencies.fields.map((field) => field.name))
  const others = Object.entries(settings).filter(([name]) => !names.has(name))
  return Object.fromEntries([...others, ...declared])
}

function storedField(field: SettingField, value: Json | undefined, dependencies: StoreOptions) {
  if (field.type === 'secret' && (value === undefined || value === '')) {
    return dependencies.stored[field.name]
  }
  if (value === undefined) return undefined
  const fault = faultOf(field, value)
  if (fault !== undefined) {
    const reason = `The field "${field.name}" of settings ${fault}.`
    throw new Refusal('invalid_field', { reason, param: `settings.${field.name}` })
  }
  return field.type === 'secret' ? dependencies.seal(field.name, String(value)) : value
}

/** What is wrong with a value of this field, to go on after its name. */
export function faultOf(field: SettingField, value: Json): string | undefined {
  if (Buffer.byteLength(JSON.stringify(value)) > (field.maxBytes ?? bytesMax)) return 'is too long'
  switch (field.type) {
    case 'string':
    case 'secret':
      return typeof value === 'string' ? undefined : 'must be a text'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'number':
      return numberFault(field, value)
    case 'select':
      return field.options?.some((option) => option === value)
        ? undefined
        : `must be one of ${field.options?.join(', ')}`
    case 'json':
      return isObject(value) ? undefined : 'must be an object'
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? undefined
        : 'must be a list of texts'
  }
}

function numberFault(field: SettingField, value: Json): string | undefined {
  if (typeof value !== 'number') return 'must be a number'
  if (field.integer && !Number.isInteger(value)) return 'must be a whole number'
  if (field.min !== undefined && value < field.min) return `must be at least ${field.min}`
  if (field.max !== undefined && value > field.max) return `must be at most ${field.max}`
  return undefined
}
