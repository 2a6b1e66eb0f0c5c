/** Functions, their calls and results. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { parsedObject } from '../../../kernel/toolkit/json/index.js'

/** Schemas go as they are: `parameters` is a dialect that refuses `additionalProperties` (github.com/livekit/agents/issues/7302). */
export function declarationsOf(tools: Json | undefined): JsonObject {
  if (!Array.isArray(tools) || tools.length === 0) return {}
  return { tools: [{ functionDeclarations: tools.map(declaration) }] }
}

function declaration(tool: Json): JsonObject {
  if (!isObject(tool) || tool.type !== 'function' || typeof tool.name !== 'string')
    throw notExpressible('session.tools')
  const { name, description, parameters } = tool
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(isObject(parameters) && { parametersJsonSchema: parameters }),
  }
}

/** The service takes an object; anything else becomes the output of one. */
export function resultOf(id: string, name: string, output: string): JsonObject {
  return { id, name, response: parsedObject(output) ?? { output } }
}
