/**
 * Chat chunks as events. Chat never marks where a part begins or ends, so both are derived here: a change of kind closes
 * text and reasoning, tool calls stay open side by side until their answer stops.
 */
import type { Event, OpenPart, Stop } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { dataUrl } from './data-url.js'
import { type Piece, readDelta } from './delta.js'
import { numberOf, objectOf, objectsOf, present, someText } from './fields.js'
import { sealedStretches, toolSeal } from './seals.js'
import { findUsage } from './usage.js'

/** Decodes the chunks of one answer, in order. */
export class ChunkDecoder {
  private readonly answers = new Map<number, AnswerDecoder>()
  private id: string | undefined
  private started = false

  take(chunk: JsonObject): Event[] {
    const choices = objectsOf(chunk.choices)
    const events = [...this.start(chunk, choices.length > 0)]
    choices.forEach((choice, position) => {
      events.push(...this.answer(numberOf(choice.index) ?? position).take(choice))
    })
    const reading = findUsage(chunk)
    if (reading !== undefined) {
      const final = choices.every(({ finish_reason }) => someText(finish_reason) !== undefined)
      events.push({ type: 'usage', ...reading, final })
    }
    return events
  }

  /** All alternatives that were requested have stopped, those of this chunk included. */
  completes(requested: number, chunk: JsonObject = {}): boolean {
    const stopped = new Set(stoppedChoices(chunk))
    for (const [index, answer] of this.answers) if (answer.stopped) stopped.add(index)
    const open = [...this.answers.keys()].some((index) => !stopped.has(index))
    return !open && stopped.size >= requested
  }

  /** The terminator came, or was not needed: what is still open closes. */
  finish(): Event[] {
    const closing = [...this.answers.values()].flatMap((answer) => answer.close())
    return [...closing, { type: 'end' }]
  }

  private start(chunk: JsonObject, hasChoices: boolean): Event[] {
    const id = someText(chunk.id)
    if (this.started || (id === undefined && !hasChoices)) return []
    this.started = true
    this.id = id
    return [
      present<Event>({
        type: 'start',
        id,
        model: someText(chunk.model),
        created: numberOf(chunk.created),
        fingerprint: someText(chunk.system_fingerprint),
      }),
    ]
  }

  private answer(index: number): AnswerDecoder {
    let answer = this.answers.get(index)
    if (answer === undefined) {
      answer = new AnswerDecoder(index, (part, name) =>
        mintId('call_', this.id ?? '', index, part, name),
      )
      this.answers.set(index, answer)
    }
    return answer
  }
}

/** The alternatives this chunk has a finish reason for. */
export function stoppedChoices(chunk: JsonObject): readonly number[] {
  return objectsOf(chunk.choices).flatMap(({ index, finish_reason }, position) =>
    someText(finish_reason) === undefined ? [] : [numberOf(index) ?? position],
  )
}

/** A tool call; it opens once its name is known. */
interface ToolCall {
  readonly id: string | undefined
  part: number | undefined
  heldJson: string
}

type DeltaFields = Omit<Extract<Event, { type: 'delta' }>, 'type' | 'at'>

type Flowing = 'text' | 'reasoning' | 'refusal' | 'audio'

/** One of the alternative answers. */
class AnswerDecoder {
  /** A reason to stop has come. */
  stopped = false
  private parts = 0
  private flowing: { readonly kind: Flowing; readonly part: number } | undefined
  private readonly tools = new Map<number | string, ToolCall>()
  private readonly openTools: ToolCall[] = []
  private reasoningParts: number[] = []

  constructor(
    private readonly choice: number,
    private readonly mint: (part: number, name: string) => string,
  ) {}

  take(choice: JsonObject): Event[] {
    const pieces = readDelta(objectOf(choice.delta) ?? {})
    let position = 0
    const events = pieces.flatMap((piece) =>
      piece.kind === 'tool' ? this.tool(piece, position++) : this.piece(piece),
    )
    events.push(...this.logprobs(objectOf(choice.logprobs)))
    const word = someText(choice.finish_reason)
    return word === undefined ? events : [...events, ...this.stop(word)]
  }

  close(): Event[] {
    const nameless = [...this.tools.values()].filter(({ part }) => part === undefined)
    const opened = nameless.flatMap((call) => this.openTool(call, ''))
    const events = [...this.closeFlowing(), ...opened]
    for (const { part } of this.openTools.splice(0)) events.push(this.closed(part!))
    this.tools.clear()
    return events
  }

  private piece(piece: Exclude<Piece, { kind: 'tool' }>): Event[] {
    switch (piece.kind) {
      case 'image':
        return this.image(piece.url)
      case 'audio':
        return this.audio(piece)
      case 'citation':
        return this.onText({ citation: piece.citation })
      case 'extra':
        return this.reasoningSeals(piece.extra)
      default: {
        const { events, part } = this.flow(piece.kind, { kind: piece.kind })
        return [...events, this.delta(part, { text: piece.text })]
      }
    }
  }

  private audio({ id, base64, text }: Extract<Piece, { kind: 'audio' }>): Event[] {
    if (this.flowing?.kind !== 'audio' && id === undefined && base64 === '' && text === '')
      return []
    const { events, part } = this.flow('audio', present({ kind: 'media', type: 'audio', id }))
    if (text !== '') events.push(this.delta(part, { text }))
    if (base64 !== '') events.push(this.delta(part, { base64 }))
    return events
  }

  private image(url: string): Event[] {
    const data = dataUrl(url)
    const part = this.parts
    this.parts += 1
    const at = { choice: this.choice, part }
    const kind = present<OpenPart>({ kind: 'media', type: 'image', mime: data?.mime })
    const events = [...this.closeFlowing(), { type: 'open', at, part: kind } as const]
    if (data !== undefined)
      return [...events, this.delta(part, { base64: data.base64 }), this.closed(part)]
    return [...events, { type: 'close', at, whole: { url } }]
  }

  private tool(piece: Extract<Piece, { kind: 'tool' }>, position: number): Event[] {
    const events = this.closeFlowing()
    const key = piece.index ?? piece.id ?? `place ${position}`
    let call = this.tools.get(key)
    // Some upstreams give every call the same index and distinguish them by id alone.
    const isNew = piece.name !== undefined && piece.id !== undefined && piece.id !== call?.id
    if (call === undefined || (isNew && call.part !== undefined)) {
      call = { id: piece.id, part: undefined, heldJson: '' }
      this.tools.set(key, call)
    }
    if (call.part === undefined && piece.name === undefined) {
      call.heldJson += piece.json
      return events
    }
    if (call.part === undefined) events.push(...this.openTool(call, piece.name!))
    if (piece.json !== '') events.push(this.delta(call.part!, { json: piece.json }))
    const seal = toolSeal(piece.extra)
    if (seal !== undefined)
      events.push(this.delta(call.part!, { seal: seal.value, sealBy: seal.by }))
    return events
  }

  private openTool(call: ToolCall, name: string): Event[] {
    const part = this.parts
    this.parts += 1
    call.part = part
    this.openTools.push(call)
    const id = call.id ?? this.mint(part, name)
    const at = { choice: this.choice, part }
    const open = { type: 'open', at, part: { kind: 'toolCall', id, name } } as const
    return call.heldJson === '' ? [open] : [open, this.delta(part, { json: call.heldJson })]
  }

  /** Makes sure that a part of this kind is the one that flows. */
  private flow(kind: Flowing, part: OpenPart): { events: Event[]; part: number } {
    if (this.flowing?.kind === kind) return { events: [], part: this.flowing.part }
    const events = this.closeFlowing()
    this.flowing = { kind, part: this.parts }
    if (kind === 'reasoning') this.reasoningParts.push(this.parts)
    this.parts += 1
    const at = { choice: this.choice, part: this.flowing.part }
    events.push({ type: 'open', at, part })
    return { events, part: at.part }
  }

  private closeFlowing(): Event[] {
    if (this.flowing === undefined) return []
    const { part } = this.flowing
    this.flowing = undefined
    return [this.closed(part)]
  }

  /** Log-probabilities belong to the text that came with them. */
  private logprobs(reported: JsonObject | undefined): Event[] {
    if (reported === undefined) return []
    const some = Object.values(reported).some((list) => Array.isArray(list) && list.length > 0)
    return some ? this.onText({ logprobs: reported }) : []
  }

  private onText(fields: { readonly citation: Json } | { readonly logprobs: Json }): Event[] {
    const kind = this.flowing?.kind === 'refusal' ? 'refusal' : 'text'
    const { events, part } = this.flow(kind, { kind })
    return [...events, this.delta(part, fields)]
  }

  /** A seal of this gateway's own making, brought back for the last stretch of reasoning. */
  private reasoningSeals(extra: Json): Event[] {
    const { seal } = sealedStretches(extra).at(-1) ?? {}
    const part = this.reasoningParts.at(-1)
    if (seal === undefined || this.flowing?.part !== part || part === undefined) return []
    return [this.delta(part, { seal: seal.value, sealBy: seal.by })]
  }

  private stop(word: string): Event[] {
    this.stopped = true
    const calledTools = this.tools.size > 0
    const reason = stops[word] ?? 'other'
    return [
      ...this.close(),
      {
        type: 'stop',
        choice: this.choice,
        // A forced tool call ends with the plain word although a tool is to be run.
        reason: reason === 'end' && calledTools ? 'tool' : reason,
        word,
      },
    ]
  }

  private delta(part: number, fields: DeltaFields): Event {
    return { type: 'delta', at: { choice: this.choice, part }, ...fields }
  }

  private closed(part: number): Event {
    return { type: 'close', at: { choice: this.choice, part } }
  }
}

const stops: Readonly<Record<string, Stop>> = {
  stop: 'end',
  eos: 'end',
  length: 'length',
  model_length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool',
  function_call: 'tool',
  content_filter: 'filter',
  sensitive: 'filter',
}
