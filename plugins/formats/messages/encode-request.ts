/** The canonical call as a messages request. Fields a call lacks stay out, but for the output limit the format requires. */
import type { Call, OutputShape, Tool, Turn } from '../../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { strictSchema } from '../../../kernel/toolkit/format/index.js'
import { defined, unlessEmpty } from './defined.js'
import { cacheMark } from './encode-content.js'
import { encodeTurns } from './encode-turns.js'
import { planThinking } from './thinking.js'

export function encodeRequest(call: Call): JsonObject {
  const own = call.only?.messages ?? {}
  const { temperature, topP, topK, stop } = call.sampling
  const { maxTokens, thinking, on } = planThinking(call)
  const sampled = on ? {} : { temperature, top_p: topP, top_k: topK }
  return defined<JsonObject>({
    ...own,
    model: call.model,
    max_tokens: maxTokens,
    ...encodeTurns(instructed(call)),
    tools: encodeTools(call),
    tool_choice: encodeToolChoice(call),
    thinking: own.thinking ?? thinking,
    output_config: encodeOutput(call.output, own),
    ...sampled,
    stop_sequences: stop,
    metadata: encodeMetadata(call.user, own),
    stream: call.stream ? true : undefined,
  })
}

/** This format has no JSON mode without a schema: an instruction in words takes its place, as in the makers' own cookbook. */
function instructed({ turns, output, tools }: Call): readonly Turn[] {
  if (output?.kind !== 'json') return turns
  const text = tools.length === 0 ? jsonAlone : `${jsonAlone} Tools may be called before it.`
  return [...turns, { role: 'system', parts: [{ kind: 'text', text }] }]
}

const jsonAlone =
  'Your answer must be one valid JSON object and nothing else: no text before or after it, and no code fence.'
function encodeTools({ tools, turns }: Call): JsonObject[] | undefined {
  if (tools.length > 0) return tools.flatMap(encodeTool)
  const used = usedTools(turns)
  return used.length === 0 ? undefined : used.map(undeclared)
}

/** Conversations that used tools are refused without any. */
function undeclared(name: string): JsonObject {
  return { name, input_schema: { type: 'object', properties: {} } }
}

/** Names of the tools that were called, each once. */
function usedTools(turns: Call['turns']): readonly string[] {
  const names = new Set<string>()
  for (const { parts } of turns) {
    for (const part of parts) if (part.kind === 'toolCall') names.add(part.name)
  }
  return [...names]
}

function encodeTool(tool: Tool): JsonObject[] {
  if (tool.kind === 'server') return tool.only.messages === undefined ? [] : [tool.only.messages]
  const { name, description, schema, strict, only } = tool
  const input_schema = inputSchema(schema, strict === true)
  return [
    defined({ ...only?.messages, name, description, input_schema, strict, ...cacheMark(tool) }),
  ]
}

/** The format requires the schema of an object, and a closed one where it is followed strictly. */
function inputSchema(schema: JsonObject | undefined, strict: boolean): JsonObject {
  if (schema === undefined) return { type: 'object', properties: {} }
  const typed = schema.type === 'object' ? schema : { ...schema, type: 'object' }
  return strict ? strictSchema(typed) : typed
}

/** Without tools, "auto" and "none" mean nothing and are refused by the upstream. */
function encodeToolChoice(call: Call): JsonObject | undefined {
  const { toolChoice, parallelTools, tools, turns } = call
  // A client that offers no tools expects no call, whatever its conversation used before.
  if (tools.length === 0) return usedTools(turns).length === 0 ? undefined : { type: 'none' }
  const alone = parallelTools === undefined ? undefined : !parallelTools
  switch (toolChoice?.kind) {
    case undefined:
      return alone === true ? choice('auto', alone) : undefined
    case 'none':
      return { type: 'none' }
    case 'auto':
      return choice('auto', alone)
    case 'required':
      return choice('any', alone)
    case 'named':
      return defined({ type: 'tool', name: toolChoice.name, disable_parallel_tool_use: alone })
  }
}

function choice(type: string, alone: boolean | undefined): JsonObject {
  return defined({ type, disable_parallel_tool_use: alone })
}

/** A description the schema lacks goes into the schema, where the model reads it. */
function encodeOutput(output: OutputShape | undefined, own: JsonObject): JsonObject | undefined {
  const config = isObject(own.output_config) ? own.output_config : {}
  if (output?.kind !== 'schema') return unlessEmpty(config)
  const schema = strictSchema(defined({ description: output.description, ...output.schema }))
  return { ...config, format: { type: 'json_schema', schema } }
}

function encodeMetadata(user: string | undefined, own: JsonObject): JsonObject | undefined {
  const rest = isObject(own.metadata) ? own.metadata : {}
  return unlessEmpty(defined({ ...rest, user_id: user }))
}
