/**
 * Input items as canonical turns. What an answer is made of stands side by side here: reasoning, a message and calls
 * that follow each other become one assistant turn, since other formats know them as one. Every turn that came as an
 * item carries `only.responses`, be it empty, so that encoding knows a client of this format wrote it.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { Recall } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { decodeContent } from './decode-content.js'
import { defined, objectsOf, textOf, unlessEmpty, withoutNulls } from './fields.js'
import { builtInTool } from './items.js'
import { openSeal, readSeal, toolSeal } from './seal.js'

export function decodeInput(input: Json | undefined, recall?: Recall): Turn[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: input }] }]
  const turns = new Turns()
  for (const item of objectsOf(input)) turns.add(recalled(item, recall))
  return turns.all
}

/** A reference to an item of an earlier answer is that item, where it is known; elsewhere it stays what it is. */
function recalled(item: JsonObject, recall: Recall | undefined): JsonObject {
  if (item.type !== 'item_reference' || typeof item.id !== 'string') return item
  return recall?.(item.id) ?? item
}

interface OpenTurn {
  readonly role: Turn['role']
  readonly parts: Part[]
  readonly only: { readonly responses: JsonObject }
}

class Turns {
  readonly all: OpenTurn[] = []

  add(item: JsonObject): void {
    const type = item.type ?? (item.role === undefined ? '' : 'message')
    if (type === 'message') this.message(item)
    else if (type === 'function_call') this.answered(toolCall(item))
    else if (type === 'reasoning') this.answered(reasoning(item))
    else if (type === 'function_call_output') this.turn('tool', [toolResult(item)])
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
      this.answered(...said(parts, left))
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
  'custom_tool_call',
  'mcp_list_tools',
  'mcp_approval_request',
])

function isText({ kind }: Part): boolean {
  return kind === 'text' || kind === 'refusal'
}

function whole(item: JsonObject): Part {
  return { kind: 'opaque', of: 'responses', value: item }
}

/** What stood beside the content of an answer stays with its first part, what stood in the content below `content`. */
function said(parts: readonly Part[], left: JsonObject): Part[] {
  return parts.map((part, index) => {
    const content = part.only?.responses
    const fields = defined({ ...(index === 0 && left), content })
    const { only, ...bare } = part
    const kept = unlessEmpty(fields)
    return kept === undefined ? bare : { ...bare, only: { responses: kept } }
  })
}

function toolCall(item: JsonObject): Part {
  const { type, call_id, name, arguments: input, extra_content, ...rest } = item
  const left = unlessEmpty(withoutNulls(rest))
  return defined<Part>({
    kind: 'toolCall',
    id: textOf(call_id) ?? '',
    name: textOf(name) ?? '',
    input: textOf(input) ?? '',
    seal: toolSeal(extra_content),
    only: left && { responses: left },
  })
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
 * text. Lists that one text cannot say stay beside it.
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
