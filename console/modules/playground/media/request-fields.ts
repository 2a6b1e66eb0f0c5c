/** Fields of a request as they are drawn, and as they are sent. */
import type { MediaFields, RequestField } from '../../../api/media.js'
import type { SettingField } from '../../../ui/form/setting-field.js'

/** Texts this long are edited in a larger place. */
const longBytes = 32_768

/** As the form draws it that draws fields of plugins. Undefined: it has a control of its own. */
export function drawnAs(field: RequestField): SettingField | undefined {
  const { name, type, title, help, options, min, max, integer } = field
  if (type === 'image' || type === 'boolean') return undefined
  return {
    ...{ name, title, type: type === 'text' ? 'string' : type },
    ...{ help, options, min, max, integer, default: field.default },
    ...(field.long && { maxBytes: longBytes }),
  }
}

/** What is filled in, under the names of these fields alone. */
export function sentFields(fields: readonly RequestField[], values: MediaFields): MediaFields {
  const filled = fields.flatMap((field) => {
    const value = values[field.name] ?? field.default
    return isFilled(value) ? [[field.name, value] as const] : []
  })
  return Object.fromEntries(filled)
}

/** Names of fields a request means nothing without, which are blank. */
export function missingFields(
  fields: readonly RequestField[],
  values: MediaFields,
): readonly string[] {
  const sent = sentFields(fields, values)
  return fields.filter(({ name, required }) => required && !(name in sent)).map(({ name }) => name)
}

/** A picture of one point: what is shown does not count for a price, and would be sent with every key pressed. */
const point =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Fields a price is requested for: without the bytes of pictures, and with a word where there is none yet. */
export function pricedFields(fields: readonly RequestField[], values: MediaFields): MediaFields {
  const sent: Record<string, unknown> = { ...sentFields(fields, values) }
  for (const { name, type, many, required } of fields) {
    const value = sent[name]
    if (type === 'image') {
      if (Array.isArray(value)) sent[name] = value.map(light)
      else if (value !== undefined) sent[name] = light(value)
      else if (required) sent[name] = many === undefined ? point : [point]
    } else if (type === 'text' && value === undefined && (required || name === 'prompt')) {
      sent[name] = '…'
    }
  }
  return sent
}

function light(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('data:') ? point : value
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== ''
}
