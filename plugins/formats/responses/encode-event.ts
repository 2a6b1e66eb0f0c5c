/**
 * Canonical events as the stream's own, one item open at a time. Neighbouring texts are one message, as a reader of
 * this format expects; the upstream of the same format marks by notes where its items begin and end.
 */
import type { Event, OpenPart, Stop, Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { defined, numberOf, objectOf, textOf } from './fields.js'
import { itemBegins, itemEnds, pieceOf } from './item-notes.js'
import type { ItemWriter, Place } from './item-writer.js'
import { type ReplyReader, ResponseObject } from './response.js'
import { mergeUsage } from './usage.js'
import { CallWriter, ImageWriter, OwnWriter } from './write-call.js'
import {
  type CalledTool,
  CalledTools,
  FreeTextWriter,
  type ToolCallPart,
  WholeCallWriter,
} from './write-client-call.js'
import { MessageWriter } from './write-message.js'
import { ReasoningWriter } from './write-reasoning.js'

type Of<K extends Event['type']> = Extract<Event, { type: K }>

interface OpenItem {
  readonly writer: ItemWriter
  /** The part it began with. */
  readonly part: number
}

export class EventEncoder {
  /** The finished response, once its last event was written. */
  whole: JsonObject | undefined
  private response: ResponseObject
  private begun = false
  private sequence = 0
  private readonly output: JsonObject[] = []
  private open: OpenItem | undefined
  /** The open part has no item here, and its content is left out. */
  private unsaid = false
  private readonly heads = new Map<number, JsonObject>()
  private readonly tails = new Map<number, JsonObject>()
  private readonly places = new Map<Json, number>()
  private usage: Usage | undefined
  private reason: Stop = 'end'
  private readonly called: CalledTools

  constructor(private readonly call: ReplyReader) {
    this.response = new ResponseObject(call, {})
    this.called = new CalledTools(call)
  }

  /** Number of the next event. */
  get next(): number {
    return this.sequence
  }

  encode(event: Event): JsonObject[] {
    if ('at' in event && event.at.choice !== 0) return []
    switch (event.type) {
      case 'delta':
        return this.unsaid ? [] : this.numbered(this.open?.writer.delta(event) ?? [])
      case 'open':
        return this.numbered([...this.begin(), ...this.openPart(event)])
      case 'close':
        return this.numbered(this.closePart(event))
      case 'start':
        this.response = new ResponseObject(this.call, event)
        return []
      case 'usage':
        this.usage = mergeUsage(this.usage ?? {}, event.usage)
        return []
      case 'stop':
        if (event.choice === 0) this.reason = event.reason
        return []
      case 'note':
        return event.of === 'responses' && isObject(event.raw) ? this.note(event.raw) : []
      case 'end':
        return this.numbered([...this.begin(), ...this.end()])
      case 'failure':
        return []
    }
  }

  private begin(): JsonObject[] {
    if (this.begun) return []
    this.begun = true
    const response = this.response.begun()
    return [
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ]
  }

  private openPart({ at, part }: Of<'open'>): JsonObject[] {
    const goesOn = isText(part) && this.inMessage() !== undefined && !this.heads.has(at.part)
    const wires = goesOn ? [] : this.openItem(at.part, part)
    if (isText(part)) wires.push(...this.inMessage()!.begin(part.kind === 'refusal'))
    return wires
  }

  private inMessage(): MessageWriter | undefined {
    const writer = this.open?.writer
    return writer instanceof MessageWriter ? writer : undefined
  }

  private openItem(number: number, part: OpenPart): JsonObject[] {
    const index = this.output.length + (this.open === undefined ? 0 : 1)
    const head = this.heads.get(number) ?? {}
    const tool = this.called.find(part, head)
    const prefix = tool?.kind?.idPrefix ?? idPrefix(part)
    const id = textOf(head.id) ?? mintId(prefix, this.response.id, index)
    const writer = writerOf(part, { id, index, head }, tool)
    this.unsaid = writer === undefined
    if (writer === undefined) return []
    const wires = this.finishItem()
    this.open = { writer, part: number }
    this.places.set(id, index)
    wires.push({ type: itemBegins, output_index: index, item: writer.first })
    return wires
  }

  private closePart({ whole }: Of<'close'>): JsonObject[] {
    if (this.unsaid || this.open === undefined) {
      this.unsaid = false
      return []
    }
    const { writer, part } = this.open
    const wires = writer.last(whole)
    // Its upstream sent how it ended, or that is in the part itself; any other item ends when the next begins, since
    // a message may go on, and since only the end of the answer shows whether its last item is complete.
    const ends = this.tails.has(part) || writer instanceof OwnWriter
    return ends ? [...wires, ...this.finishItem()] : wires
  }

  /** `end` is the state of the last item at the end of the answer. */
  private finishItem(end: JsonObject = {}): JsonObject[] {
    if (this.open === undefined) return []
    const { writer, part } = this.open
    this.open = undefined
    const item = writer.item(this.tails.get(part) ?? end)
    const output_index = this.output.push(item) - 1
    return [{ type: itemEnds, output_index, item }]
  }

  /** Notes of this format's own decoder are read; whatever else its upstream sent goes through. */
  private note(raw: JsonObject): JsonObject[] {
    const part = numberOf(raw.part)
    if (part !== undefined) return this.numbered(this.itemNote(part, raw))
    const response = objectOf(raw.response)
    if (response === undefined) return this.passed(raw)
    this.response.tell(response, raw.ended === true)
    return []
  }

  private itemNote(part: number, raw: JsonObject): JsonObject[] {
    const item = objectOf(raw.item) ?? {}
    const open = this.open?.part === part ? this.open.writer : undefined
    if (raw.type === itemBegins) this.heads.set(part, item)
    if (raw.type === itemEnds) {
      this.tails.set(part, item)
      if (open instanceof MessageWriter && !open.isOpen) return this.finishItem()
    }
    const piece = pieceOf(raw.type)
    return piece !== undefined && open instanceof ReasoningWriter ? open.begin(piece) : []
  }

  /** An event about an item follows it to its place; one about an item that is not there has none. */
  private passed(raw: JsonObject): JsonObject[] {
    const { item_id } = raw
    if (item_id === undefined) return this.numbered([...this.begin(), { ...raw }])
    const output_index = this.places.get(item_id)
    return output_index === undefined ? [] : this.numbered([{ ...raw, output_index }])
  }

  private end(): JsonObject[] {
    const short = this.response.isShort(this.reason)
    const wires = this.finishItem(short ? { status: 'incomplete' } : {})
    const response = this.response.finished(this.reason, this.output, this.usage)
    this.whole = response
    wires.push({ type: short ? 'response.incomplete' : 'response.completed', response })
    return wires
  }

  private numbered(wires: JsonObject[]): JsonObject[] {
    for (const wire of wires as { sequence_number?: number }[]) {
      wire.sequence_number = this.sequence
      this.sequence += 1
    }
    return wires
  }
}

function isText({ kind }: OpenPart): boolean {
  return kind === 'text' || kind === 'refusal'
}

/** Undefined: this format has no item for such a part. */
function writerOf(part: OpenPart, place: Place, tool?: CalledTool): ItemWriter | undefined {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return new MessageWriter(place)
    case 'reasoning':
      return new ReasoningWriter(place)
    case 'toolCall':
      return tool === undefined ? new CallWriter(part, place) : clientCallWriter(part, place, tool)
    case 'serverTool':
    case 'opaque':
      return part.of === 'responses' ? new OwnWriter(place) : undefined
    case 'media':
      return part.type === 'image' ? new ImageWriter(place) : undefined
  }
}

function clientCallWriter(part: ToolCallPart, place: Place, tool: CalledTool): ItemWriter {
  const { kind, name, namespace } = tool
  if (kind?.named === true) return new FreeTextWriter(part, place, { ...tool, kind })
  if (kind !== undefined) return new WholeCallWriter(part, place, { ...tool, kind })
  return new CallWriter({ ...part, name }, { ...place, head: defined({ namespace }) })
}

/** Clients distinguish items by the beginning of their ids. */
function idPrefix({ kind }: OpenPart): string {
  return idPrefixes[kind] ?? 'item_'
}

const idPrefixes: Readonly<Record<string, string>> = {
  text: 'msg_',
  refusal: 'msg_',
  reasoning: 'rs_',
  toolCall: 'fc_',
  media: 'ig_',
}
