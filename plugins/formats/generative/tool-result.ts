/**
 * What a tool returned, between the JSON object this format requires and the parts every other format has. The service
 * reads the keys `output` and `error` by their names and any other object as a whole, so plain text stands under one
 * of them and text that is an object goes out as that object.
 */
import type { Part } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { isObject } from '../../../kernel/contract/json.js'
import { parsedObject } from './fields.js'

export type ToolResult = Extract<Part, { kind: 'toolResult' }>

interface ReadResponse extends Pick<ToolResult, 'parts' | 'failed'> {
  /** The object as it came, where what was read of it would be written otherwise. */
  readonly wrapped?: JsonObject
}

/** Reading what was written gives the same object again. */
export function readResponse(response: Json | undefined, toolName: string): ReadResponse {
  if (!isObject(response)) return { parts: [] }
  const { error } = response
  const single = Object.keys(response).length === 1
  if (single && typeof error === 'string') return { parts: [text(error)], failed: true }
  const words = wrappedIn(response, toolName)
  const parts = words === '' ? [] : [text(words ?? JSON.stringify(response))]
  const rewritten = JSON.stringify(writeResponse({ parts }))
  return rewritten === JSON.stringify(response) ? { parts } : { parts, wrapped: response }
}

/**
 * What a tool returned, out of the object a library put it in because this format requires one: `output`, `result`
 * (google-genai for Python, LangChain), or `content` beside the tool's own name (`@ai-sdk/google` 3.0.141). Undefined: the
 * object is what the tool returned.
 */
function wrappedIn(response: JsonObject, toolName: string): string | undefined {
  const { output, result, name, content } = response
  const fields = Object.keys(response).length
  const named = fields === 2 && name === toolName ? content : undefined
  const value = fields === 1 ? (output ?? result) : named
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function writeResponse({ parts, failed }: Pick<ToolResult, 'parts' | 'failed'>): JsonObject {
  const words = parts
    .flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : []))
    .join('\n')
  if (failed === true) return { error: words }
  return structured(words) ?? { output: words }
}

/** Numbers of so many digits lose some of them when they are parsed. */
const longNumber = /\d{16}/

function structured(words: string): JsonObject | undefined {
  if (!words.trimStart().startsWith('{')) return undefined
  const value = parsedObject(words)
  if (value === undefined || !longNumber.test(words)) return value
  return JSON.stringify(value) === words ? value : undefined
}

function text(words: string): Part {
  return { kind: 'text', text: words }
}
