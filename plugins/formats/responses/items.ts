/** What kinds of items there are, as far as their kind decides how they are read and written. */
import type { OpenPart } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { textOf } from './fields.js'

/** An item whose text comes in pieces: `<event>.delta` and `<event>.done`. */
export interface Streamed {
  readonly event: string
  /** The field of the item, and of the `done` event, that holds it whole. */
  readonly field: string
  /** The text is JSON. */
  readonly json: boolean
}

const streamed: ReadonlyMap<string, Streamed> = new Map([
  ['function_call', spelled('function_call_arguments', 'arguments', true)],
  ['mcp_call', spelled('mcp_call_arguments', 'arguments', true)],
  ['custom_tool_call', spelled('custom_tool_call_input', 'input', false)],
  ['code_interpreter_call', spelled('code_interpreter_call_code', 'code', false)],
])

function spelled(name: string, field: string, json: boolean): Streamed {
  return { event: `response.${name}`, field, json }
}

export function streamedOf({ type }: JsonObject): Streamed | undefined {
  return typeof type === 'string' ? streamed.get(type) : undefined
}

/** Events that bring a piece of what the model writes, in their `delta`. */
export const textDeltas: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
  ...[...streamed.values()].map(({ event }) => `${event}.delta`),
])

/** Calls the client has to run before the conversation goes on. */
export function isClientCall({ type }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

/** Calls of tools the format itself names; undefined for every other item. */
export function builtInTool({ type }: JsonObject): string | undefined {
  if (typeof type !== 'string' || isClientCall({ type })) return undefined
  return type.endsWith('_call') ? type.slice(0, -'_call'.length) : undefined
}

/** The part an item that is neither message nor reasoning opens. */
export function partOf(item: JsonObject): OpenPart {
  const id = textOf(item.id)
  if (item.type === 'function_call') {
    return { kind: 'toolCall', id: textOf(item.call_id) ?? id ?? '', name: textOf(item.name) ?? '' }
  }
  const name = builtInTool(item)
  if (name !== undefined && id !== undefined) {
    return { kind: 'serverTool', id, name, of: 'responses' }
  }
  return { kind: 'opaque', of: 'responses' }
}

/** What is known of an item when it begins; the rest comes with its end. */
const headKeys = ['id', 'type', 'role', 'phase', 'call_id', 'name', 'namespace', 'server_label']

export function headOf(item: JsonObject): JsonObject {
  const kept = headKeys.filter((key) => item[key] !== undefined).map((key) => [key, item[key]])
  return Object.fromEntries(kept)
}

/** An item without what is sent piece by piece. */
export function tailOf(item: JsonObject): JsonObject {
  const { content, summary, encrypted_content, arguments: input, extra_content, ...tail } = item
  return tail
}
