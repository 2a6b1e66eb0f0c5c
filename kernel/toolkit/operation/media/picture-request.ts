/**
 * What a client wrote of a picture, for services that ask for pictures in words of their own: fields that have no word there,
 * the two sides of a size, and the pictures an edit begins with.
 */
import type { Body } from '../../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import { notExpressible } from '../../errors/refusal.js'
import { withoutNulls } from '../../json/fields.js'
import { imageKind } from '../image-kind.js'
import { fieldsOf, type Kinds } from './fields.js'

/** Fields of OpenAI's form that most services have no word for. */
const wishes = [
  ...['quality', 'style', 'background', 'moderation', 'user', 'input_fidelity'],
  ...['output_format', 'output_compression', 'partial_images'],
] as const

/** Fields of a form that are no texts. */
const kinds: Kinds = {
  ...{ n: 'number', seed: 'number', output_compression: 'number', partial_images: 'number' },
  ...{ stream: 'flag', prompt_extend: 'flag', watermark: 'flag' },
}

/** The fields that state something: `auto` and `null` leave it to the service. Throws where a stream is wanted. */
export function pictureFields(body: Body): JsonObject {
  const { stream, ...fields } = statedFields(body)
  if (stream === true) throw notExpressible('stream')
  return fields
}

/** The same for a service that streams pictures. */
export function statedFields(body: Body): JsonObject {
  const fields = Object.entries(withoutNulls(fieldsOf(body, kinds)))
  return Object.fromEntries(fields.filter(([name, value]) => !(value === 'auto' && leavesIt(name))))
}

/** Other fields may have a meaning of their own for the word. */
function leavesIt(name: string): boolean {
  return name === 'size' || wishes.some((wish) => wish === name)
}

/**
 * Those of the fields that the service has no word for. They stand at the top level of what `shape` returns, and
 * `reportsUntold` takes them out.
 */
export function untold(fields: JsonObject, told: readonly string[] = []): JsonObject {
  const names = wishes.filter((name) => fields[name] !== undefined && !told.includes(name))
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

/** For `Adapter.refuses`: the picture is made without these fields, and the client learns it. */
export function reportsUntold(told: readonly string[] = []) {
  return (wire: JsonObject): readonly string[] => Object.keys(untold(wire, told))
}

interface Sides {
  readonly width: number
  readonly height: number
}

/** The sides of a size like `1024x768`; undefined where the service may choose. Throws for any other text. */
export function sidesOf(size: Json | undefined): Sides | undefined {
  if (size === undefined || size === null || size === 'auto') return undefined
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? []
  if (width === undefined) throw notExpressible('size')
  return { width: Number(width), height: Number(height) }
}

/** The pictures of an edit, in order, as addresses or data URLs. A mask is refused: what it means would be lost. */
export function givenPictures(body: Body): readonly string[] {
  const files = body.kind === 'form' ? body.files : []
  const fields = fieldsOf(body, {})
  if (files.some(({ field }) => field === 'mask') || (fields.mask ?? null) !== null) {
    throw notExpressible('mask')
  }
  const uploaded = files.map(({ bytes }) => dataUrlOf(bytes))
  return [...uploaded, ...pictureNames.flatMap((name) => addressesIn(fields[name], name))]
}

const pictureNames = ['image', 'image[]', 'images', 'image_url'] as const

/** A file that another service keeps is out of reach. */
function addressesIn(value: Json | undefined, field: string): readonly string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one: Json) => addressesIn(one, field))
  if (isObject(value))
    return addressesIn(value.image_url ?? value.url ?? value.b64_json ?? '', field)
  const text = String(value)
  if (/^(?:https?:\/\/|data:)/i.test(text)) return [text]
  const bytes = Buffer.from(text, 'base64')
  if (imageKind(bytes) === undefined) throw notExpressible(field)
  return [dataUrlOf(bytes)]
}

function dataUrlOf(bytes: Buffer): string {
  const { mime } = imageKind(bytes) ?? { mime: 'image/png' }
  return `data:${mime};base64,${bytes.toString('base64')}`
}
