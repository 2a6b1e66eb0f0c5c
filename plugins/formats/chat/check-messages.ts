/** The messages of a chat request: its roles, and whether each part has the shape its kind promises (FMT-4). */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'

export function checkMessages(messages: Json | undefined): void {
  if (!Array.isArray(messages)) throw invalidField('messages', 'must be an array')
  if (messages.length === 0) throw invalidField('messages', 'must not be empty')
  messages.forEach((message, index) => {
    checkMessage(message, `messages[${index}]`)
  })
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

function checkMessage(message: Json, place: string): void {
  if (!isObject(message)) throw invalidField(place, 'must be an object')
  const { role } = message
  if (typeof role !== 'string' || !roles.includes(role)) {
    throw invalidField(`${place}.role`, `must be one of ${roles.join(', ')}`)
  }
  checkContent(message, role, `${place}.content`)
  checkString(message.name, `${place}.name`)
  checkString(message.reasoning_content, `${place}.reasoning_content`)
  checkString(message.refusal, `${place}.refusal`)
  checkToolCalls(message.tool_calls, `${place}.tool_calls`)
  if (role === 'tool' && typeof message.tool_call_id !== 'string') {
    throw invalidField(`${place}.tool_call_id`, 'must be a string')
  }
}

function checkContent({ content }: JsonObject, role: string, place: string): void {
  if (typeof content === 'string') return
  if (Array.isArray(content)) {
    content.forEach((part, index) => {
      checkPart(part, `${place}[${index}]`)
    })
    return
  }
  const mayBeAbsent = role === 'assistant' || role === 'function'
  if (mayBeAbsent && (content === undefined || content === null)) return
  throw invalidField(place, 'must be a string or an array of parts')
}

/** Parts of kinds not known here pass: the upstream knows them or refuses them. */
function checkPart(part: Json, place: string): void {
  if (!isObject(part) || typeof part.type !== 'string') {
    throw invalidField(place, 'must be an object with a type')
  }
  const { type } = part
  if (type === 'text' && typeof part.text !== 'string') {
    throw invalidField(`${place}.text`, 'must be a string')
  }
  if (type === 'image_url' && typeof addressIn(part.image_url) !== 'string') {
    throw invalidField(`${place}.image_url`, 'must be an object with a url')
  }
  if (type === 'input_audio' && !isAudio(part.input_audio)) {
    throw invalidField(`${place}.input_audio`, 'must be an object with data and format')
  }
  if (type === 'file' && !isObject(part.file)) {
    throw invalidField(`${place}.file`, 'must be an object')
  }
}

function addressIn(image: Json | undefined): Json | undefined {
  return isObject(image) ? image.url : image
}

function isAudio(audio: Json | undefined): boolean {
  return isObject(audio) && typeof audio.data === 'string' && typeof audio.format === 'string'
}

function checkString(value: Json | undefined, place: string): void {
  if (value === undefined || value === null || typeof value === 'string') return
  throw invalidField(place, 'must be a string')
}

function checkToolCalls(calls: Json | undefined, place: string): void {
  if (calls === undefined || calls === null) return
  if (!Array.isArray(calls)) throw invalidField(place, 'must be an array')
  calls.forEach((call, index) => {
    if (!isObject(call) || typeof call.id !== 'string') {
      throw invalidField(`${place}[${index}]`, 'must be an object with an id')
    }
    if (call.type !== undefined && call.type !== 'function') return
    const { function: called } = call
    const right = isObject(called) && typeof called.name === 'string'
    if (!right || typeof called.arguments !== 'string') {
      throw invalidField(`${place}[${index}].function`, 'must hold a name and arguments as strings')
    }
  })
}
