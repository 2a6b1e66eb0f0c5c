/**
 * A responses request as the Agent API takes it. It refuses every member it does not know, and has the shape of an answer
 * under the older name (docs.perplexity.ai/api-reference/agent-post and its guide to mapping requests, read 2026-11-22).
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { withoutMembers } from '../../kernel/toolkit/vendors/index.js'
import { agentModels } from './models.js'

const known: ReadonlySet<string> = new Set([
  'background',
  'input',
  'instructions',
  'language_preference',
  'max_output_tokens',
  'max_steps',
  'max_tool_calls',
  'metadata',
  'model',
  'models',
  'parallel_tool_calls',
  'preset',
  'previous_response_id',
  'reasoning',
  'response_format',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'truncation',
])

/** Members nobody misses: `text` goes on as `response_format`, sealed reasoning is not known here. */
const silent: ReadonlySet<string> = new Set(['text', 'include'])

export function refuses(wire: JsonObject): readonly string[] {
  return Object.keys(wire).filter((name) => !known.has(name) && !silent.has(name))
}

export function adjust(wire: JsonObject): JsonObject {
  return withModel(withEffort(withFormat(wire)))
}

function withFormat(wire: JsonObject): JsonObject {
  const { text, include, ...rest } = wire
  if (text === undefined && include === undefined) return wire
  const format = isObject(text) ? text.format : undefined
  if (!isObject(format) || format.type !== 'json_schema') return rest
  const { type, ...schema } = format
  return { ...rest, response_format: { type, json_schema: schema } }
}

/** Of reasoning it takes the effort only, of which it has no word for none. */
function withEffort(wire: JsonObject): JsonObject {
  const { reasoning } = wire
  if (!isObject(reasoning)) return wire
  const { effort } = reasoning
  if (effort === undefined) return withoutMembers(wire, ['reasoning'])
  if (Object.keys(reasoning).length === 1 && effort !== 'none') return wire
  return { ...wire, reasoning: { effort: effort === 'none' ? 'minimal' : effort } }
}

function withModel(wire: JsonObject): JsonObject {
  const found = agentModels.find(({ name }) => name === wire.model)
  if (found === undefined) return wire
  const { model, preset } = found
  if (preset !== undefined) return { preset, ...wire, model }
  return { ...wire, model, tools: withSearch(wire.tools) }
}

/** These models always searched; here a search is a tool. */
function withSearch(tools: Json | undefined): Json {
  const list: readonly Json[] = Array.isArray(tools) ? tools : []
  const requested = list.some((tool) => isObject(tool) && tool.type === 'web_search')
  return requested ? list : [...list, { type: 'web_search' }]
}
