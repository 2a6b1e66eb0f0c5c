/**
 * Input items as canonical turns. What an answer is made of stands side by side here: reasoning, a message and calls
 * that follow each other become one assistant turn, since other formats know them as one. Every turn that came as an
 * item carries `only.responses`, be it empty, so that encoding knows a client of this format wrote it.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { Recall } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import {
  answeredTool,
  type ClientTool,
  calledTool,
  nameOfCall,
  readOutput,
} from './client-tools.js'
import { decodeContent } from './decode-content.js'
import { addsTools, namesIn } from './decode-tools.js'
import { defined, objectsOf, textOf, unlessEmpty, withoutNulls } from './fields.js'
import { builtInTool } from './items.js'
import { referredTo } from './references.js'
import { openSeal, readSeal, toolSeal } from './seal.js'
import type { ToolNames } from './tool-names.js'

/** `names`: what the tools of the request are called in other formats. */
export function decodeInput(items: Json | undefined, names: ToolNames): Turn[] {
  if (typeof items === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: items }] }]
  const turns = new Turns(names)
  for (const item of objectsOf(items)) if (item.type !== addsTools) turns.add(item)
  return turns.all
}

/** References to items of earlier answers are these items, where they are known; elsewhere they stay what they are. */
export function recalled(input: Json | undefined, recall: Recall | undefined): Json | undefined {
  if (!Array.isArray(input) || recall === undefined) return input
  return input.map((item) => {
    const id = referredTo(item)
    return (id === undefined ? undefined : recall(id)) ?? item
  })
}

/** Items that only declare tools are no turns of the conversation, and stand beside it with their positions. */
export function declarations(input: Json | undefined): JsonObject[] {
  return objectsOf(input).flatMap((item, index) =>
    item.type === addsTools ? [{ index, item }] : [],
  )
}

interface OpenTurn {
  readonly role: Turn['role']
  readonly parts: Part[]
  readonly only: { readonly responses: JsonObject }
}

class Turns {
  readonly all: OpenTurn[] = []

  constructor(private readonly names: ToolNames) {}

  add(item: JsonObject): void {
    const type = item.type ?? (item.role === undefined ? '' : 'message')
    const called = calledTool(item)
    const answered = answeredTool(item)
    if (type === 'message') this.message(item)
    else if (type === 'function_call') this.answered(toolCall(item, this.names))
    else if (type === 'reasoning') this.answered(reasoning(item))
    else if (type === 'function_call_output') this.turn('tool', [toolResult(item)])
    else if (called !== undefined) this.answered(clientCall(called, item, this.names))
    else if (answered !== undefined) this.turn('tool', [clientResult(answered, item, this.names)])
    else this.other(item)
  }

  private message(item: JsonObject): void {
    const { type, role, content, ...rest } = item
    const parts = decodeContent(content)
    const left = withoutNulls(rest)
    const strange = parts.length === 0 || !parts.every(isText)
    if (role === 'user' || role === 'system' || role === 'developer') this.turn(role, parts, left)
    else if (role !== 'assistant' || strange) this.turn('tool', [whole(item)])
    else {
      this.splitBefore()
      this.answered(...textParts(parts, left))
    }
  }

  /** What a model or an upstream's tool did is part of the answer; anything else was meant to be read. */
  private other(item: JsonObject): void {
    const name = builtInTool(item)
    const id = textOf(item.id)
    if (name !== undefined && id !== undefined) {
      this.answered({ kind: 'serverTool', id, name, of: 'responses', only: { responses: item } })
    } else if (answers.has(item.type)) this.answered(whole(item))
    else this.turn('tool', [whole(item)])
  }

  private turn(role: Turn['role'], parts: Part[], left: JsonObject = {}): void {
    this.all.push({ role, parts, only: { responses: left } })
  }

  private answered(...parts: readonly Part[]): void {
    const last = this.all.at(-1)
    if (last?.role === 'assistant') last.parts.push(...parts)
    else this.turn('assistant', [...parts])
  }

  /**
   * Two messages in a row are two answers, and reasoning between them belongs to the second. Behind a call they are
   * not: its result has to follow the turn that made it.
   */
  private splitBefore(): void {
    const last = this.all.at(-1)
    if (last?.role !== 'assistant') return
    const { parts } = last
    if (!parts.some(isText) || parts.some(({ kind }) => kind === 'toolCall')) return
    const end = parts.findLastIndex(({ kind }) => kind !== 'reasoning') + 1
    this.turn('assistant', parts.splice(end))
  }
}

/** Items of an answer beside the calls of tools; lost on the way to another format they change no meaning. */
const answers: ReadonlySet<Json | undefined> = new Set([
  'mcp_list_tools',
  'mcp_approval_request',
  'tool_search_output',
])

function isText({ kind }: Part): boolean {
  return kind === 'text' || kind === 'refusal'
}

function whole(item: JsonObject): Part {
  return { kind: 'opaque', of: 'responses', value: item }
}

/** What stood beside the content of an answer stays with its first part, what stood in the content below `content`. */
function textParts(parts: readonly Part[], left: JsonObject): Part[] {
  return parts.map((part, index) => {
    const content = part.only?.responses
    const fields = defined({ ...(index === 0 && left), content })
    const { only, ...bare } = part
    const kept = unlessEmpty(fields)
    return kept === undefined ? bare : { ...bare, only: { responses: kept } }
  })
}

function toolCall(item: JsonObject, names: ToolNames): Part {
  const { type, call_id, name: own, arguments: input, extra_content, ...rest } = item
  const place = { name: textOf(own) ?? '', namespace: textOf(rest.namespace) }
  const name = names.of(defined(place))
  const left = name === own ? unlessEmpty(withoutNulls(rest)) : { item }
  return defined<Part>({
    kind: 'toolCall',
    id: textOf(call_id) ?? '',
    name,
    input: textOf(input) ?? '',
    seal: toolSeal(extra_content),
    only: left && { responses: left },
  })
}

/** Calls of this format's own kinds are written again as they came. */
function clientCall(tool: ClientTool, item: JsonObject, names: ToolNames): Part {
  const place = { name: nameOfCall(tool, item), namespace: textOf(item.namespace) }
  return {
    kind: 'toolCall',
    id: textOf(item.call_id) ?? textOf(item.id) ?? '',
    name: names.of(defined(place)),
    input: tool.readInput(item),
    only: { responses: { item } },
  }
}

function clientResult(tool: ClientTool, item: JsonObject, names: ToolNames): Part {
  return {
    kind: 'toolResult',
    callId: textOf(item.call_id) ?? textOf(item.id) ?? '',
    parts: readOutput(tool, item, (found) => namesIn(found, names)),
    only: { responses: { item } },
  }
}

function toolResult(item: JsonObject): Part {
  const { type, call_id, output, ...rest } = item
  const left = unlessEmpty(withoutNulls(rest))
  return defined<Part>({
    kind: 'toolResult',
    callId: textOf(call_id) ?? '',
    parts: decodeContent(output),
    only: left && { responses: left },
  })
}

/**
 * A summary that stands without an own seal was written from another format's reasoning, or is all there is: it is the
 * text. Lists that one text cannot express stay beside it.
 */
function reasoning(item: JsonObject): Part {
  const { type, id, summary, content, encrypted_content, ...rest } = item
  const encrypted = textOf(encrypted_content) ?? ''
  const seal = encrypted === '' ? undefined : readSeal(encrypted, textOf(id))
  const summaries = textsOf(summary)
  const contents = textsOf(content)
  const bound = seal && openSeal(seal)?.id
  const left = withoutNulls({
    ...rest,
    id: bound !== undefined && bound === id ? undefined : id,
    summary: summaries.length > 1 ? summary : undefined,
    content: contents.length > 0 ? content : undefined,
  })
  const summed = summaries.length === 0 ? undefined : summaries.join('\n\n')
  const apart = contents.length > 0 || seal?.by === 'responses'
  return defined<Part>({
    kind: 'reasoning',
    text: contents.length > 0 ? contents.join('\n\n') : apart ? undefined : summed,
    summary: apart ? summed : undefined,
    seal,
    only: { responses: left },
  })
}

function textsOf(list: Json | undefined): readonly string[] {
  return objectsOf(list).map(({ text }) => textOf(text) ?? '')
}
