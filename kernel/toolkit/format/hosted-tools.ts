/**
 * Tools an upstream runs itself exist in one format only. Where another format serves the request, one the model was
 * merely offered is left out and reported; one the model was made to use is refused, since nothing else can do its work
 * (decision 0041). So is a tool the client runs itself and that no other format can declare: it waits for its calls.
 */
import type { Call, Tool } from '../../contract/call.js'
import type { FormatName } from '../../contract/names.js'

interface UnsupportedHostedTools {
  readonly refuse: readonly string[]
  readonly report: readonly string[]
}

const none: UnsupportedHostedTools = { refuse: [], report: [] }

/** `format` is undefined for an upstream with a form of its own, which knows no such tool. */
export function unsupportedHostedTools(
  format: FormatName | undefined,
  call: Call,
): UnsupportedHostedTools {
  const foreign = call.tools.filter((tool) => isForeignTool(format, tool))
  if (foreign.length === 0) return none
  const forced = foreign.filter((tool) => isForced(tool, foreign, call))
  const optional = foreign.filter((tool) => !forced.includes(tool))
  return { refuse: named(forced), report: named(optional) }
}

/** The call as this format is sent it: without what it cannot name. The same object where nothing is left out. */
export function withoutForeignTools(format: FormatName | undefined, call: Call): Call {
  const tools = call.tools.filter((tool) => !isForeignTool(format, tool))
  return tools.length === call.tools.length ? call : { ...call, tools }
}

/** The call with the tools alone that its choice allows: what a model is not shown it cannot use. */
export function withAllowedTools(call: Call): Call {
  const { allowedTools, ...rest } = call
  if (allowedTools === undefined) return call
  return { ...rest, tools: call.tools.filter(({ name }) => allowedTools.includes(name)) }
}

function isForeignTool(format: FormatName | undefined, tool: Tool): boolean {
  return tool.kind === 'server' && (format === undefined || tool.only[format] === undefined)
}

function isForced(tool: Tool, foreign: readonly Tool[], { tools, toolChoice }: Call): boolean {
  const { name } = tool
  if (isRunByClient(tool)) return true
  if (toolChoice?.kind === 'required') return foreign.length === tools.length
  if (toolChoice?.kind !== 'named' || toolChoice.name !== name) return false
  return !tools.some((other) => other.kind === 'function' && other.name === name)
}

/** The beginnings of their types, in every format; `computerUse` is a name. */
const runByClient = /^(custom|computer|bash|text_editor|memory|shell|apply_patch)/

function isRunByClient({ name, only }: Tool): boolean {
  const [left = {}] = Object.values(only ?? {})
  return runByClient.test(typeof left.type === 'string' ? left.type : name)
}

function named(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.map(({ name }) => `tools.${name}`))]
}
