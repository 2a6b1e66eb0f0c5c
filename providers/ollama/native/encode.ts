/** The canonical call as a request of `/api/chat`. Fields a call lacks stay out. */
import type { Call, OutputShape, Tool } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present, unlessEmpty } from '../../../kernel/toolkit/json/index.js'
import { optionsOf } from './options.js'
import { defaultsOf, isGiven } from './requested.js'
import { thinkOf } from './thinking.js'
import { encodeTurns } from './turns.js'

export function encode(call: Call, channel: ChannelView): JsonObject {
  const { model, turns, stream, output, reasoning, only } = call
  const { keep_alive: lasting, think } = only?.chat ?? {}
  return present<JsonObject>({
    model,
    messages: encodeTurns(turns),
    stream,
    tools: encodeTools(call),
    format: formatOf(output),
    think: thinkOf(reasoning) ?? (isGiven(think) ? think : undefined),
    keep_alive: isGiven(lasting) ? lasting : defaultsOf(channel).keep_alive,
    options: unlessEmpty(optionsOf(call, channel)),
  })
}

/** It knows no choice: tools that must not be called are not offered. */
function encodeTools({ tools, toolChoice }: Call): readonly JsonObject[] | undefined {
  if (toolChoice?.kind === 'none') return undefined
  return unlessEmpty(tools.filter((tool) => tool.kind === 'function').map(encodeTool))
}

function encodeTool({
  name,
  description,
  schema,
}: Extract<Tool, { kind: 'function' }>): JsonObject {
  const parameters = schema ?? { type: 'object', properties: {} }
  return { type: 'function', function: present<JsonObject>({ name, description, parameters }) }
}

function formatOf(output: OutputShape | undefined): JsonObject | string | undefined {
  if (output === undefined || output.kind === 'text') return undefined
  return output.schema ?? 'json'
}
