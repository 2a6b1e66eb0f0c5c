/**
 * Fields that cost extra or inform the upstream about the client's users. They are left out unless the channel's settings
 * let them pass; `store` passes unless they hold it back.
 */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'

/**
 * Names of the fields that stay here, as clients write them. Looks at the top level only. To ask for no padding of a stream
 * costs nothing and reveals nothing, so that passes (FMT-5).
 */
export function filteredFields(wire: JsonObject, settings: JsonObject): readonly string[] {
  const without: string[] = []
  if (wire.service_tier !== undefined && settings.allow_service_tier !== true)
    without.push('service_tier')
  if (wire.inference_geo !== undefined && settings.allow_inference_geo !== true)
    without.push('inference_geo')
  if (wire.speed !== undefined && settings.allow_speed !== true) without.push('speed')
  if (wire.safety_identifier !== undefined && settings.allow_safety_identifier !== true)
    without.push('safety_identifier')
  if (wire.store !== undefined && settings.disable_store === true) without.push('store')
  const { stream_options: options } = wire
  const requested = isObject(options) ? options.include_obfuscation : undefined
  const obfuscated = requested !== undefined && requested !== false
  if (obfuscated && settings.allow_include_obfuscation !== true) without.push(obfuscation)
  return without
}

const obfuscation = 'stream_options.include_obfuscation'

/** The same object where nothing is left out. */
export function filtered(wire: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return wire
  const next = leftOut(wire, fields)
  return fields.includes(obfuscation) ? withoutObfuscation(next) : next
}

/** Options of which nothing is left go too: an empty object is refused where nothing is streamed. */
function withoutObfuscation(wire: JsonObject): JsonObject {
  const { stream_options: options } = wire
  if (!isObject(options) || options.include_obfuscation === undefined) return wire
  const rest = leftOut(options, ['include_obfuscation'])
  return Object.keys(rest).length === 0
    ? leftOut(wire, ['stream_options'])
    : { ...wire, stream_options: rest }
}

function leftOut(object: JsonObject, names: readonly string[]): JsonObject {
  const kept = { ...object } as Record<string, JsonObject[string]>
  for (const name of names) delete kept[name]
  return kept
}
