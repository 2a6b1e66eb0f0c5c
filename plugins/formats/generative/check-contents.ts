/** The contents of a generative request: its roles, and whether each part has the shape its kind promises. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import { camel } from './names.js'

export function checkContents(contents: Json | undefined): void {
  if (!Array.isArray(contents)) throw invalidField('contents', 'must be an array')
  if (contents.length === 0) throw invalidField('contents', 'must not be empty')
  contents.forEach((content, index) => {
    checkContent(content, `contents[${index}]`)
  })
}

/** A content without a role is the user's; `function` is an older name of hers for results. */
const roles: ReadonlySet<Json | undefined> = new Set([undefined, '', 'user', 'model', 'function'])

function checkContent(content: Json, place: string): void {
  if (!isObject(content)) throw invalidField(place, 'must be an object')
  const { role, parts } = camel(content)
  if (!roles.has(role)) throw invalidField(`${place}.role`, 'must be "user" or "model"')
  if (!Array.isArray(parts)) throw invalidField(`${place}.parts`, 'must be an array')
  parts.forEach((part, index) => {
    checkPart(part, `${place}.parts[${index}]`)
  })
}

/** Parts of kinds not known here pass: the upstream knows them or refuses them. */
function checkPart(value: Json, place: string): void {
  if (!isObject(value)) throw invalidField(place, 'must be an object')
  const part = camel(value)
  const { text, thoughtSignature } = part
  if (text !== undefined && typeof text !== 'string') {
    throw invalidField(`${place}.text`, 'must be a string')
  }
  if (thoughtSignature !== undefined && typeof thoughtSignature !== 'string') {
    throw invalidField(`${place}.thoughtSignature`, 'must be a string')
  }
  for (const [kind, fields] of Object.entries(requiredTexts)) checkTexts(part, kind, fields, place)
}

const requiredTexts: Readonly<Record<string, readonly string[]>> = {
  inlineData: ['mimeType', 'data'],
  fileData: ['fileUri'],
  functionCall: ['name'],
  functionResponse: ['name'],
}

function checkTexts(
  part: JsonObject,
  kind: string,
  fields: readonly string[],
  place: string,
): void {
  const value = part[kind]
  if (value === undefined) return
  if (!isObject(value)) throw invalidField(`${place}.${kind}`, 'must be an object')
  const reported = camel(value)
  for (const field of fields) {
    if (typeof reported[field] !== 'string') {
      throw invalidField(`${place}.${kind}.${field}`, 'must be a string')
    }
  }
}
