/** References of an OpenAPI document (`{"$ref": "#/components/…"}`), replaced by what they lead to. */
import { isObject } from '../../ui/json-text.js'

/**
 * A copy of `value` without references. Where a definition contains itself, the inner one becomes an empty schema that
 * names it; a reference that leads nowhere becomes an empty schema.
 */
export function resolved<Value>(document: object, value: Value): Value {
  return copyOf(document, value, []) as Value
}

function copyOf(document: object, value: unknown, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(document, item, within))
  if (!isObject(value)) return value
  const { $ref: reference, ...beside } = value
  if (typeof reference !== 'string') return copiedFields(document, value, within)
  if (within.includes(reference)) return { description: nameOf(reference) }
  const target = copyOf(document, targetOf(document, reference), [...within, reference])
  return { ...(isObject(target) ? target : {}), ...copiedFields(document, beside, within) }
}

function copiedFields(
  document: object,
  value: Readonly<Record<string, unknown>>,
  within: readonly string[],
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([name, field]) => [name, copyOf(document, field, within)]))
}

/** By a JSON Pointer in the document itself (RFC 6901). */
function targetOf(document: object, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>(
    (place, name) => (isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined),
    document,
  )
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
