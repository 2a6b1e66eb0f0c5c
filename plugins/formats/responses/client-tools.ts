/**
 * Tools of this format that the client runs and that are no functions: free text, the search for further tools, a
 * shell. For every other format each is a function; here stands how its calls and results are read and written.
 */
import type { Part } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { parsedObject } from '../../../kernel/toolkit/json/index.js'
import { decodeContent } from './decode-content.js'
import { defined, objectOf, textOf } from './fields.js'
import { freeTextField, readFreeText, writeFreeText } from './free-text.js'

export interface ClientTool {
  /** The item a model calls it with. */
  readonly call: string
  /** The item its result comes back in. */
  readonly output: string
  /** How ids of its calls begin. */
  readonly idPrefix: string
  /** It has a name of its own; otherwise its type is its name. */
  readonly named: boolean
  description(tool: JsonObject): string | undefined
  schema(tool: JsonObject): JsonObject | undefined
  /** What a function cannot express of it. Absent: nothing. */
  lost?(tool: JsonObject): JsonObject
  /** The input of a call as JSON text. */
  readInput(item: JsonObject): string
  /** What a call holds of its input. */
  writeInput(json: string): JsonObject
  /** Absent: its output is content as everywhere. */
  readOutput?(item: JsonObject, nameOf: (tool: JsonObject) => readonly string[]): readonly Part[]
}

const custom: ClientTool = {
  call: 'custom_tool_call',
  output: 'custom_tool_call_output',
  idPrefix: 'ctc_',
  named: true,
  description: ({ description, format }) =>
    [textOf(description), grammarOf(objectOf(format) ?? {})].filter(Boolean).join('\n\n') ||
    undefined,
  schema: () => ({
    type: 'object',
    properties: {
      [freeTextField]: {
        type: 'string',
        description: 'The whole input of the tool as plain text.',
      },
    },
    required: [freeTextField],
    additionalProperties: false,
  }),
  lost: ({ format }) => (objectOf(format)?.type === 'grammar' ? { format } : {}),
  readInput: ({ input }) => writeFreeText(textOf(input) ?? ''),
  writeInput: (json) => ({ input: readFreeText(json) }),
}

/** No other format holds a model to a grammar, so the model is shown it. */
function grammarOf({ type, syntax, definition }: JsonObject): string | undefined {
  if (type !== 'grammar' || typeof definition !== 'string') return undefined
  return `The text must follow this ${textOf(syntax) ?? ''} grammar:\n${definition}`
}

const toolSearch: ClientTool = {
  call: 'tool_search_call',
  output: 'tool_search_output',
  idPrefix: 'tsc_',
  named: false,
  description: ({ description }) => textOf(description),
  schema: ({ parameters }) => objectOf(parameters),
  readInput: ({ arguments: input }) => JSON.stringify(input ?? {}),
  writeInput: (json) => ({ execution: 'client', arguments: parsedObject(json) ?? {} }),
  // The tools that were found are declared like all others; the model gets their names.
  readOutput: ({ tools }, nameOf) => {
    const found = Array.isArray(tools) ? tools : []
    const names = found.flatMap((tool) => nameOf(objectOf(tool) ?? {}))
    return [{ kind: 'text', text: JSON.stringify({ tools: names }) }]
  },
}

const localShell: ClientTool = {
  call: 'local_shell_call',
  output: 'local_shell_call_output',
  idPrefix: 'lsh_',
  named: false,
  description: () => 'Runs a command in a shell on the local machine and returns its output.',
  schema: () => ({
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' } },
      working_directory: { type: 'string' },
      timeout_ms: { type: 'integer' },
      env: { type: 'object', additionalProperties: { type: 'string' } },
      user: { type: 'string' },
    },
    required: ['command'],
  }),
  readInput: ({ action }) => {
    const { type, ...input } = objectOf(action) ?? {}
    return JSON.stringify(input)
  },
  writeInput: (json) => ({
    action: { command: [], env: {}, ...parsedObject(json), type: 'exec' },
  }),
}

const byType: ReadonlyMap<Json | undefined, ClientTool> = new Map([
  ['custom', custom],
  ['tool_search', toolSearch],
  ['local_shell', localShell],
])

const kinds = [...byType.values()]

/** Undefined: the tool is a function, or run by the upstream. */
export function clientTool(tool: JsonObject): ClientTool | undefined {
  const kind = byType.get(tool.type)
  if (kind === undefined || (kind.named && typeof tool.name !== 'string')) return undefined
  return tool.type === 'tool_search' && tool.execution !== 'client' ? undefined : kind
}

/** The same of a tool whose declaration was understood before. */
export function clientToolOfType(type: Json | undefined): ClientTool | undefined {
  return byType.get(type)
}

export function calledTool(item: JsonObject): ClientTool | undefined {
  return ranByClient(item) ? kinds.find(({ call }) => call === item.type) : undefined
}

export function answeredTool(item: JsonObject): ClientTool | undefined {
  return ranByClient(item) ? kinds.find(({ output }) => output === item.type) : undefined
}

/** The upstream may search for tools itself, and reports it. */
function ranByClient({ type, execution }: JsonObject): boolean {
  return typeof type === 'string' && (!type.startsWith('tool_search_') || execution === 'client')
}

export function readOutput(
  tool: ClientTool,
  item: JsonObject,
  nameOf: (tool: JsonObject) => readonly string[],
): Part[] {
  return [...(tool.readOutput?.(item, nameOf) ?? decodeContent(item.output))]
}

/** The name a call of this tool goes by where the item has none. */
export function nameOfCall(tool: ClientTool, item: JsonObject): string {
  return tool.named ? (textOf(item.name) ?? '') : tool.call.slice(0, -'_call'.length)
}

/** The call of such a tool as an item, as far as it is known. */
export function writeCall(
  tool: ClientTool,
  call: { readonly id: string; readonly callId: string; readonly name: string },
  more: { readonly namespace?: string; readonly status: string; readonly input: JsonObject },
): JsonObject {
  const { namespace, status, input } = more
  return defined<JsonObject>({
    id: call.id,
    type: tool.call,
    status,
    call_id: call.callId,
    ...(tool.named && { name: call.name, namespace }),
    ...input,
  })
}
