/** What tables of unsupported fields ask of turns and their parts, whatever the format. */
import type { Part, Turn } from '../../contract/call.js'
import type { JsonObject } from '../../contract/json.js'
import type { Issuer } from '../../contract/names.js'
import { parsedObject } from '../json/fields.js'
import { nestedParts } from './unsupported-fields.js'

export function isAnswer({ role }: Turn): boolean {
  return role === 'assistant'
}

/** A part nobody but its issuer can read, and the issuer is another; those within tool results included. `own` absent: all are. */
export function holdsForeignOpaque({ parts }: Turn, own: Issuer | undefined): boolean {
  for (const part of nestedParts(parts)) {
    if (part.kind === 'opaque' && part.of !== own) return true
  }
  return false
}

/** Tool input as the object it has to be; no text and `null` mean no input. Undefined: it is neither, or too much to read at once. */
export function toolInput(input: string): JsonObject | undefined {
  const text = input.trim()
  return text === '' || text === 'null' ? {} : parsedObject(text)
}

/** A call whose input is no object, where the format has a place for objects alone. */
export function hasUnreadableInput(part: Part): boolean {
  return part.kind === 'toolCall' && toolInput(part.input) === undefined
}
