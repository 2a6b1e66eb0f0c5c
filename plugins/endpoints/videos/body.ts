/**
 * The body of a submission, JSON or a form, in the words of the operation `video`. Files of a form become data URLs, which are checked
 * where the operation is (API-8).
 */
import type { FormFile } from '../../../kernel/contract/body.js'
import type { Inbound } from '../../../kernel/contract/endpoint.js'
import { isObject, type Json } from '../../../kernel/contract/json.js'
import { isFormType, type JsonBody, readForm } from '../../../kernel/toolkit/body/index.js'
import { jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { readJson } from '../../../kernel/toolkit/json/index.js'
import { invalidField, withTrueTypes } from '../../../kernel/toolkit/operation/index.js'

export function bodyOf(inbound: Pick<Inbound, 'client' | 'payload'>): JsonBody {
  const type = inbound.client.headers['content-type'] ?? ''
  if (!isFormType(type)) return jsonBody(inbound)
  const { fields, files } = withTrueTypes(readForm(inbound.payload, type))
  const value = new Map<string, Json>()
  for (const [name, text] of Object.entries(fields)) put(value, name, text ?? null)
  for (const file of files) put(value, fieldOf(file), dataUrlOf(file))
  return { kind: 'json', value: Object.fromEntries([...value].map(typed)) }
}

/** `images[]` is one of a list, `input_reference[image_url]` a member of an object. */
function put(value: Map<string, Json>, name: string, given: Json): void {
  const [, field = name, inner] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? []
  if (field === '__proto__' || inner === '__proto__') {
    throw new Refusal('forbidden_key', { key: '__proto__' })
  }
  const before = value.get(field)
  if (inner) value.set(field, { ...(isObject(before) ? before : {}), [inner]: given })
  else if (before !== undefined) value.set(field, [before, given].flat() as Json[])
  else value.set(field, given)
}

/** A form knows texts only. What is not as expected stays as it is, and is refused by name. */
function typed([field, value]: readonly [string, Json]): readonly [string, Json] {
  if (typeof value !== 'string') return [field, value]
  if (numbers.has(field) && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return [field, Number(value)]
  if (booleans.has(field) && /^(?:true|false)$/.test(value)) return [field, value === 'true']
  if (field === 'metadata') return [field, metadataIn(value)]
  return [field, value]
}

function metadataIn(text: string): Json {
  try {
    return readJson(Buffer.from(text))
  } catch (error) {
    throw error instanceof Refusal ? invalidField('metadata', 'must be a JSON object') : error
  }
}

const numbers: ReadonlySet<string> = new Set(['fps', 'seed', 'n'])
const booleans: ReadonlySet<string> = new Set(['audio', 'watermark'])

const imageFields: ReadonlySet<string> = new Set(['input_reference', 'image', 'images'])
const otherFields: ReadonlySet<string> = new Set(['image_tail', 'video', 'audio_url'])

/** A clip may stand where a picture does: both are what the new one is made from. */
function fieldOf({ field, mime }: FormFile): string {
  const plain = field.replace(/\[\d*\]$/, '')
  if (imageFields.has(plain)) return mime.startsWith('video/') ? 'video' : plain
  if (otherFields.has(plain)) return plain
  throw invalidField(plain, 'is no field that takes a file')
}

function dataUrlOf({ mime, bytes }: FormFile): string {
  return `data:${mime};base64,${bytes.toString('base64')}`
}
