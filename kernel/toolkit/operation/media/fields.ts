/** Fields of a JSON body or of a form in one reading: a form knows texts only, so its numbers and flags are read as such. */
import type { Body } from '../../../contract/body.js'
import type { Json, JsonObject } from '../../../contract/json.js'
import { requiredModel } from '../checks.js'
import { jsonOf } from '../operation-body.js'

/** Which fields of a form are no texts. What cannot be read as its kind stays the text it is. */
export type Kinds = Readonly<Record<string, 'number' | 'flag'>>

export function fieldsOf(body: Body, kinds: Kinds): JsonObject {
  if (body.kind !== 'form') return jsonOf(body)
  const fields: { [name: string]: Json | undefined } = { ...body.fields }
  for (const name in kinds) {
    const value = fields[name]
    if (typeof value === 'string') fields[name] = readers[kinds[name]!](value)
  }
  return fields
}

const readers: Readonly<Record<Kinds[string], (text: string) => Json>> = {
  number: (text) => (/^-?\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text),
  flag: (text) => flags.get(text.toLowerCase()) ?? text,
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The requested model, or the one the operation falls back to where none is named. */
export function modelOf(fields: JsonObject, fallback: string | undefined): string {
  const { model } = fields
  const missing = model === undefined || model === null || model === ''
  return missing && fallback !== undefined ? fallback : requiredModel(model)
}

/** A text with something in it. States what is wrong with anything else. */
export function isSomeText(value: Json): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  return value === '' ? 'must not be empty' : undefined
}
