/** A body again, with what became of the JSON that stands for it: its value, or the text fields of a form. */
import type { Body } from '../../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { changed, type JsonBody } from '../../../kernel/toolkit/body/index.js'
import { deeplyRewritten, reachesDeep } from '../../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'

/**
 * The same body where nothing changed. `deep`: the change may reach into members, whose untouched parts then keep their
 * source text (X6).
 */
export function withValue(body: Body, value: JsonObject, reach?: 'deep'): Body {
  if (body.kind === 'none' || value === jsonOf(body)) return body
  if (body.kind === 'form') return { ...body, fields: asFields(value) }
  return reach === undefined ? changed(body, value) : deeplyChanged(body, value)
}

function deeplyChanged(body: JsonBody, value: JsonObject): JsonBody {
  const next = changed(body, value)
  const { original } = next
  if (original === undefined || !reachesDeep(value, original.value)) return next
  return { kind: 'json', value, bytes: deeplyRewritten(value, original) }
}

/** A form knows texts only, several under one name; nothing is no field. */
function asFields(value: JsonObject): JsonObject {
  const fields: [string, Json][] = []
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue
    fields.push([name, Array.isArray(item) ? item.map(asText) : asText(item)])
  }
  return Object.fromEntries(fields)
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
