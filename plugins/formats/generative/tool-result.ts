/**
 * What a tool answered, between the JSON object this format wants and the parts every other format knows. The service
 * reads the keys `output` and `error` as what they say and any other object as a whole, so plain text stands under one
 * of them and text that is an object goes out as that object.
 */
import type { Part } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { isObject } from '../../../kernel/contract/json.js'
import { parsedObject } from './fields.js'

export type ToolResult = Extract<Part, { kind: 'toolResult' }>

/** Reading what was written gives the same object again. */
export function readResponse(response: Json | undefined): Pick<ToolResult, 'parts' | 'failed'> {
  if (!isObject(response)) return { parts: [] }
  const keys = Object.keys(response)
  const { output, error } = response
  const single = keys.length === 1
  if (single && typeof error === 'string') return { parts: [text(error)], failed: true }
  if (single && typeof output === 'string' && structured(output) === undefined) {
    return { parts: output === '' ? [] : [text(output)] }
  }
  return { parts: [text(JSON.stringify(response))] }
}

export function writeResponse({ parts, failed }: Pick<ToolResult, 'parts' | 'failed'>): JsonObject {
  const said = parts
    .flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : []))
    .join('\n')
  if (failed === true) return { error: said }
  return structured(said) ?? { output: said }
}

/** Numbers of so many digits lose some of them when they are parsed. */
const longNumber = /\d{16}/

function structured(said: string): JsonObject | undefined {
  if (!said.trimStart().startsWith('{')) return undefined
  const value = parsedObject(said)
  if (value === undefined || !longNumber.test(said)) return value
  return JSON.stringify(value) === said ? value : undefined
}

function text(said: string): Part {
  return { kind: 'text', text: said }
}
