/** Tools and their choice in this format's words. */
import type { Call, Tool } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { defined } from './fields.js'

/** As a client of this format declared them, where it did so in words the call does not have. */
export function encodeTools({ tools, only }: Call): Json | undefined {
  const own = only?.responses?.tools
  if (own !== undefined) return own ?? undefined
  return tools.length === 0 ? undefined : tools.flatMap(encodeTool)
}

function encodeTool(tool: Tool): JsonObject[] {
  const own = tool.only?.responses
  if (tool.kind === 'server') return own === undefined ? [] : [own]
  const { name, description, schema, strict } = tool
  const requested = defined<JsonObject>({ name, description, parameters: schema, strict })
  return own === undefined
    ? [{ type: 'function', parameters: noParameters, strict: false, ...requested }]
    : [{ ...own, type: 'function', ...requested }]
}

const noParameters = { type: 'object', properties: {} }

export function encodeToolChoice({ tools, toolChoice, only }: Call): Json | undefined {
  const allowed = only?.responses?.allowed_tools
  if (allowed !== undefined) return allowed
  if (toolChoice?.kind !== 'named') return toolChoice?.kind
  const own = tools.find(({ name }) => name === toolChoice.name)?.only?.responses
  const { type = 'function', name = toolChoice.name, namespace } = own ?? {}
  if (type !== 'function' && type !== 'custom') return { type }
  return defined<JsonObject>({ type, name, namespace })
}
