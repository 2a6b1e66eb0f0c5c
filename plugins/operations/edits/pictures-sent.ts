/**
 * The pictures of an edit, whichever way they came: uploaded, written into the JSON as base64, or named by an address that
 * the upstream fetches itself. What was sent along is recognised by its content (FMT-11).
 */
import type { Body, FormFile } from '../../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { imageKind, invalidField, tokensOfInput } from '../../../kernel/toolkit/operation/index.js'

/** Fields whose values are pictures to work on. */
const pictureFields = ['image', 'image[]', 'images', 'image_url'] as const
const maskField = 'mask'

/** Throws a `Refusal` that names the field of a file that is no picture, or states that there is none at all. */
export function checkPictures(body: Body, fields: JsonObject): void {
  const files = filesOf(body)
  for (const file of files) checkFile(file)
  for (const field of [...pictureFields, maskField]) checkTexts(fields[field], field)
  const given =
    files.some(({ field }) => field !== maskField) ||
    pictureFields.some((field) => textsIn(fields[field]).length > 0)
  if (!given) throw invalidField('image', 'must be given')
}

/** Where the size is known by it, else as a square that needs no scaling. */
export function inputTokens(body: Body, fields: JsonObject): number {
  const { input_fidelity: fidelity } = fields
  let tokens = 0
  for (const { bytes } of filesOf(body))
    tokens += tokensOfInput(imageKind(bytes) ?? unknown, fidelity)
  for (const field of pictureFields) {
    tokens += textsIn(fields[field]).length * tokensOfInput(unknown, fidelity)
  }
  return tokens
}

const unknown = { width: 512, height: 512 } as const

function filesOf(body: Body): readonly FormFile[] {
  return body.kind === 'form' ? body.files : []
}

function checkFile({ field, bytes }: FormFile): void {
  if (bytes.length === 0) throw invalidField(field, 'is an empty file')
  if (imageKind(bytes) === undefined) throw invalidField(field, 'must be a JPEG, PNG or WebP image')
}

function checkTexts(value: Json | undefined, field: string): void {
  for (const text of textsIn(value)) {
    if (isReference(text)) continue
    const bytes = Buffer.from(base64Of(text), 'base64')
    if (imageKind(bytes) === undefined) {
      throw invalidField(field, 'must be an address or a JPEG, PNG or WebP image')
    }
  }
}

/** An address, or a file the upstream keeps. */
function isReference(text: string): boolean {
  return /^(?:https?:\/\/|file-)/i.test(text)
}

function base64Of(text: string): string {
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  return text.slice(comma + 1)
}

/** Texts, lists of them, and objects that hold one by the names clients use. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn)
  if (!isObject(value)) return []
  return textsIn(value.image_url ?? value.url ?? value.file_id ?? value.b64_json)
}
