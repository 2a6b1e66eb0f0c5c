/**
 * The tools of a request, wherever they are declared: in `tools`, in items that add further ones, and in what a search
 * for tools found. Namespaces are flattened, since other formats have none. Tools the upstream runs itself stay what
 * they are; only this format can name them.
 */
import type { Tool, ToolChoice } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { clientTool } from './client-tools.js'
import { booleanOf, defined, objectOf, objectsOf, textOf, withoutNulls } from './fields.js'
import { ToolNames } from './tool-names.js'

export interface DeclaredTools {
  readonly tools: readonly Tool[]
  readonly names: ToolNames
  /** `tools` as it came, null for none, where what was decoded does not repeat it. */
  readonly raw?: Json
}

interface Declared {
  readonly tool: JsonObject
  readonly namespace?: string
}

export function decodeTools(tools: Json | undefined, input: Json | undefined): DeclaredTools {
  const names = new ToolNames()
  const listed = objectsOf(tools)
  const declared = [...listed.flatMap(flattened), ...objectsOf(input).flatMap(declaredIn)]
  // Names that stand for themselves go first: they are what clients' prompts mention.
  for (const { tool, namespace } of declared) if (namespace === undefined) nameOf(tool, names)
  const decoded = declared.map(({ tool, namespace }) => decodeTool(tool, namespace, names))
  const isPlain = (tool: JsonObject) => tool.type !== 'namespace' && clientTool(tool) === undefined
  const plain = listed.length === declared.length && listed.every(isPlain)
  const raw = plain ? undefined : (tools ?? null)
  return defined<DeclaredTools>({ tools: plain ? decoded : lastOfEach(decoded), names, raw })
}

/** A search may find again what was declared before. */
function lastOfEach(tools: readonly Tool[]): readonly Tool[] {
  const byName = new Map(tools.map((tool) => [`${tool.kind} ${tool.name}`, tool]))
  return [...byName.values()]
}

/** Items that declare tools. The first kind declares nothing else. */
export const addsTools = 'additional_tools'

function declaredIn({ type, tools }: JsonObject): Declared[] {
  const declares = type === addsTools || type === 'tool_search_output'
  return declares ? objectsOf(tools).flatMap(flattened) : []
}

function flattened(tool: JsonObject): Declared[] {
  const namespace = textOf(tool.name)
  if (tool.type !== 'namespace' || namespace === undefined) return [{ tool }]
  return objectsOf(tool.tools).map((inner) => ({ tool: inner, namespace }))
}

/** What the tools of such a declaration are called elsewhere. */
export function namesIn(tool: JsonObject, names: ToolNames): readonly string[] {
  return flattened(tool).map((declared) => nameOf(declared.tool, names, declared.namespace))
}

function nameOf(tool: JsonObject, names: ToolNames, namespace?: string): string {
  const name = textOf(tool.name) ?? textOf(tool.type) ?? ''
  return names.of({ name, ...(namespace !== undefined && { namespace }) })
}

function decodeTool(tool: JsonObject, namespace: string | undefined, names: ToolNames): Tool {
  const { type, name: own, description, parameters, strict, ...rest } = tool
  const kind = clientTool(tool)
  const name = nameOf(tool, names, namespace)
  const isFunction = type === 'function' && typeof own === 'string'
  if (!isFunction && kind === undefined) {
    return { kind: 'server', name: textOf(own) ?? textOf(type) ?? '', only: { responses: tool } }
  }
  const renamed = isFunction && name === own && namespace === undefined ? {} : { name: own }
  const left = kind === undefined ? rest : { type, ...kind.lost?.(tool) }
  return defined<Tool>({
    kind: 'function',
    name,
    description: kind === undefined ? textOf(description) : kind.description(tool),
    schema: kind === undefined ? objectOf(parameters) : kind.schema(tool),
    strict: booleanOf(strict),
    only: { responses: withoutNulls({ ...left, ...renamed, namespace }) },
  })
}

export interface ToolUse {
  readonly toolChoice?: ToolChoice
  readonly allowedTools?: readonly string[]
}

export function decodeToolChoice(choice: Json | undefined, declared: DeclaredTools): ToolUse {
  if (choice === 'auto' || choice === 'required' || choice === 'none')
    return { toolChoice: { kind: choice } }
  const { type, mode, tools } = objectOf(choice) ?? {}
  if (type === 'allowed_tools' && (mode === 'auto' || mode === 'required')) {
    const allowedTools = objectsOf(tools).flatMap((tool) => chosen(tool, declared))
    return { toolChoice: { kind: mode }, allowedTools }
  }
  const [name] = chosen(objectOf(choice) ?? {}, declared)
  return name === undefined ? {} : { toolChoice: { kind: 'named', name } }
}

/** Functions and free text are chosen by name, a namespace as a whole, everything else by its type. */
function chosen(choice: JsonObject, { tools, names }: DeclaredTools): readonly string[] {
  const { type, namespace } = choice
  const name = textOf(choice.name)
  if (type === 'namespace') {
    return tools.filter(({ only }) => only?.responses?.namespace === name).map((tool) => tool.name)
  }
  if (type === 'function' || type === 'custom') {
    const place = { name, namespace: textOf(namespace) }
    return name === undefined ? [] : [names.of(defined<{ name: string }>({ ...place, name }))]
  }
  if (name !== undefined || type === undefined) return []
  return tools.filter(({ only }) => only?.responses?.type === type).map((tool) => tool.name)
}
