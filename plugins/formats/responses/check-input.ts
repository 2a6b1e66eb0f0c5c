/** The input of a responses request: whether each item has the shape its kind promises. Unknown kinds pass. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'

export function checkInput(body: JsonObject): void {
  const { input } = body
  if (typeof input === 'string') return
  if (Array.isArray(input)) {
    input.forEach((item, index) => {
      checkItem(item, `input[${index}]`)
    })
    return
  }
  // What goes on from a stored answer, or from a template, may have nothing to add.
  const hasOther = ['previous_response_id', 'conversation', 'prompt'].some((field) => body[field])
  if (!hasOther || (input !== undefined && input !== null)) {
    throw invalidField('input', 'must be a string or an array of items')
  }
}

function checkItem(item: Json, place: string): void {
  if (!isObject(item)) throw invalidField(place, 'must be an object')
  const type = item.type ?? (item.role === undefined ? '' : 'message')
  if (typeof type !== 'string') throw invalidField(`${place}.type`, 'must be a string')
  for (const field of texts.get(type) ?? []) {
    if (typeof item[field] !== 'string') throw invalidField(`${place}.${field}`, 'must be a string')
  }
  if (type === 'message') checkMessage(item, place)
  if (outputs.has(type)) checkContent(item.output, `${place}.output`)
  if (type === 'reasoning' && !Array.isArray(item.summary)) {
    throw invalidField(`${place}.summary`, 'must be an array')
  }
}

/** Fields an item of this kind cannot do without. What names no kind refers to an earlier item. */
const texts: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['id']],
  ['item_reference', ['id']],
  ['function_call', ['call_id', 'name', 'arguments']],
  ['function_call_output', ['call_id']],
  ['custom_tool_call', ['call_id', 'name', 'input']],
  ['custom_tool_call_output', ['call_id']],
])

const outputs: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])

const roles: readonly (Json | undefined)[] = ['user', 'assistant', 'system', 'developer']

function checkMessage(message: JsonObject, place: string): void {
  if (!roles.includes(message.role)) {
    throw invalidField(`${place}.role`, `must be one of ${roles.join(', ')}`)
  }
  checkContent(message.content, `${place}.content`)
}

function checkContent(content: Json | undefined, place: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw invalidField(place, 'must be a string or an array of content')
  content.forEach((part, index) => {
    checkPart(part, `${place}[${index}]`)
  })
}

function checkPart(part: Json, place: string): void {
  if (!isObject(part) || typeof part.type !== 'string') {
    throw invalidField(place, 'must be an object with a type')
  }
  const { type } = part
  if ((type === 'input_text' || type === 'output_text') && typeof part.text !== 'string') {
    throw invalidField(`${place}.text`, 'must be a string')
  }
  if (type === 'input_image' && !isAddress(part.image_url) && !isAddress(part.file_id)) {
    throw invalidField(`${place}.image_url`, 'must be an address, unless a file_id is given')
  }
}

function isAddress(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== ''
}
