/**
 * Calls of the tools a client of this format declared in its own words: for the upstream each was a plain function, and
 * the client gets the name, the namespace and the kind of item it knows.
 */
import type { Call } from '../../../kernel/contract/call.js'
import type { OpenPart } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { type ClientTool, clientToolOfType, writeCall } from './client-tools.js'
import { textOf } from './fields.js'
import { FreeTextReader } from './free-text.js'
import type { Delta, ItemWriter, Place } from './item-writer.js'
import type { ReplyReader } from './response.js'

export type ToolCallPart = Extract<OpenPart, { kind: 'toolCall' }>

/** A tool as the client declared it. */
export interface CalledTool {
  readonly name: string
  readonly namespace?: string
  /** Absent: a function. */
  readonly kind?: ClientTool
}

/** The tools whose calls the client expects under another name or as another item than a function's. */
export class CalledTools {
  private known: ReadonlyMap<string, CalledTool> | undefined

  constructor(private readonly reader: ReplyReader) {}

  /** Undefined: the call is written as it comes, as one is that an upstream of this format wrote itself. */
  find(part: OpenPart, head: JsonObject): CalledTool | undefined {
    if (part.kind !== 'toolCall' || head.type !== undefined) return undefined
    this.known ??= new Map((this.reader.call?.().tools ?? []).flatMap(renamed))
    return this.known.get(part.name)
  }
}

function renamed(tool: Call['tools'][number]): (readonly [string, CalledTool])[] {
  const own = tool.only?.responses
  if (tool.kind === 'server' || own === undefined) return []
  const name = textOf(own.name) ?? tool.name
  const namespace = textOf(own.namespace)
  const kind = clientToolOfType(own.type)
  if (kind === undefined && namespace === undefined && name === tool.name) return []
  return [[tool.name, { name, ...(namespace && { namespace }), ...(kind && { kind }) }]]
}

type OwnTool = CalledTool & { readonly kind: ClientTool }

/** A call of a tool that takes free text. */
export class FreeTextWriter implements ItemWriter {
  private readonly text = new FreeTextReader()

  constructor(
    private readonly part: ToolCallPart,
    private readonly place: Place,
    private readonly tool: OwnTool,
  ) {}

  get first(): JsonObject {
    return this.call('in_progress', '')
  }

  delta({ json = '' }: Delta): JsonObject[] {
    return this.piece(this.text.push(json))
  }

  last(): JsonObject[] {
    const rest = this.piece(this.text.finish())
    return [...rest, { ...this.event('done'), input: this.text.text }]
  }

  item({ status }: JsonObject): JsonObject {
    return this.call(textOf(status) ?? 'completed', this.text.text)
  }

  private piece(delta: string): JsonObject[] {
    return delta === '' ? [] : [{ ...this.event('delta'), delta }]
  }

  private event(kind: 'delta' | 'done'): JsonObject {
    const { id: item_id, index: output_index } = this.place
    return { type: `response.custom_tool_call_input.${kind}`, item_id, output_index }
  }

  private call(status: string, input: string): JsonObject {
    return written(this.part, this.place, this.tool, { status, input: { input } })
  }
}

/** A call whose input the client reads when it is complete. */
export class WholeCallWriter implements ItemWriter {
  private json = ''

  constructor(
    private readonly part: ToolCallPart,
    private readonly place: Place,
    private readonly tool: OwnTool,
  ) {}

  get first(): JsonObject {
    return this.call('in_progress')
  }

  delta({ json = '' }: Delta): JsonObject[] {
    this.json += json
    return []
  }

  last(): JsonObject[] {
    return []
  }

  item({ status }: JsonObject): JsonObject {
    return this.call(textOf(status) ?? 'completed')
  }

  private call(status: string): JsonObject {
    const input = this.tool.kind.writeInput(this.json)
    return written(this.part, this.place, this.tool, { status, input })
  }
}

function written(
  { id: callId }: ToolCallPart,
  { id }: Place,
  { kind, name, namespace }: OwnTool,
  more: { readonly status: string; readonly input: JsonObject },
): JsonObject {
  return writeCall(kind, { id, callId, name }, { ...more, ...(namespace && { namespace }) })
}
