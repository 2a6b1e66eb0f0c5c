/**
 * Events as a chat stream: the role in the first chunk of each answer, the finish reason in a chunk of its own, the
 * usage where the client requested it, and the terminator behind a proper end only (FMT-10, S5).
 */
import type { Event, OpenPart, Usage } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import { sseData } from '../../../kernel/toolkit/format/index.js'
import { terminator } from './decode-stream.js'
import {
  type Answering,
  annotation,
  answerId,
  finishReason,
  imageEntry,
  urlIn,
} from './encode-words.js'
import { present } from './fields.js'
import { reasoningExtra, type SealedStretch, toolExtra } from './seals.js'
import { writeUsage } from './usage.js'

export interface StreamClient extends Answering {
  readonly wantsUsage: boolean
}

export function encodeStream(client: StreamClient): Transform<Event, Buffer> {
  return new StreamEncoder(client)
}

type PartEvent<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** An open part, as far as later events need to know it. */
interface Part {
  readonly part: OpenPart
  /** Place among the tool calls of its answer. */
  readonly tool: number
  chars: number
  base64: string
  seal?: { readonly by: Issuer; readonly value: string }
}

interface Answer {
  readonly parts: Map<number, Part>
  readonly stretches: SealedStretch[]
  tools: number
}

class StreamEncoder implements Transform<Event, Buffer> {
  private readonly answers = new Map<number, Answer>()
  private id: string
  private created = 0
  private fingerprint: string | undefined
  private usage: Usage | undefined

  constructor(private readonly client: StreamClient) {
    this.id = answerId(undefined, client)
  }

  push(event: Event): Buffer[] {
    switch (event.type) {
      case 'start':
        this.id = answerId(event.id, this.client)
        this.created = event.created ?? 0
        this.fingerprint = event.fingerprint
        return []
      case 'open':
        return this.open(event)
      case 'delta':
        return this.delta(event)
      case 'close':
        return this.close(event)
      case 'stop':
        return [...this.begin(event.choice), this.finish(event)]
      case 'usage':
        this.usage = { ...this.usage, ...present(event.usage) }
        return []
      case 'end':
        return this.end()
      default:
        return []
    }
  }

  flush(): Buffer[] {
    return []
  }

  private open({ at, part }: PartEvent<'open'>): Buffer[] {
    const chunks = this.begin(at.choice)
    const answer = this.answers.get(at.choice)!
    answer.parts.set(at.part, { part, tool: answer.tools, chars: 0, base64: '' })
    if (part.kind === 'toolCall') {
      const call = { id: part.id, type: 'function', function: { name: part.name, arguments: '' } }
      chunks.push(this.deltaChunk(at.choice, { tool_calls: [{ index: answer.tools, ...call }] }))
      answer.tools += 1
    } else if (part.kind === 'media' && part.type === 'audio' && part.id !== undefined) {
      chunks.push(this.deltaChunk(at.choice, { audio: { id: part.id } }))
    }
    return chunks
  }

  private delta(event: PartEvent<'delta'>): Buffer[] {
    const { at, seal, sealBy } = event
    const open = this.answers.get(at.choice)?.parts.get(at.part)
    if (open === undefined) return []
    if (seal !== undefined && sealBy !== undefined) {
      open.seal = { by: sealBy, value: (open.seal?.value ?? '') + seal }
    }
    open.chars += event.text?.length ?? 0
    const delta = deltaOf(open, event)
    if (delta === undefined && event.logprobs === undefined) return []
    return [this.deltaChunk(at.choice, delta ?? {}, event.logprobs)]
  }

  private close({ at, whole }: PartEvent<'close'>): Buffer[] {
    const answer = this.answers.get(at.choice)
    const open = answer?.parts.get(at.part)
    if (answer === undefined || open === undefined) return []
    answer.parts.delete(at.part)
    const delta = closing(answer, open, whole)
    return delta === undefined ? [] : [this.deltaChunk(at.choice, delta)]
  }

  private end(): Buffer[] {
    const chunks: Buffer[] = []
    if (this.client.wantsUsage && this.usage !== undefined) {
      chunks.push(this.chunk([], writeUsage(this.usage)))
    }
    return [...chunks, Buffer.from(`data: ${terminator}\n\n`)]
  }

  private begin(choice: number): Buffer[] {
    if (this.answers.has(choice)) return []
    this.answers.set(choice, { parts: new Map(), stretches: [], tools: 0 })
    return [this.deltaChunk(choice, { role: 'assistant', content: '' })]
  }

  private deltaChunk(index: number, delta: JsonObject, logprobs?: Json): Buffer {
    return this.chunk([{ index, delta, logprobs, finish_reason: null }])
  }

  private finish({ choice: index, reason }: PartEvent<'stop'>): Buffer {
    return this.chunk([{ index, delta: {}, finish_reason: finishReason(reason) }])
  }

  /** Without a spread: this is made for every piece of text. What is undefined is not written. */
  private chunk(choices: JsonObject[], usage?: JsonObject): Buffer {
    const { id, created, fingerprint: system_fingerprint } = this
    const { model } = this.client
    const object = 'chat.completion.chunk'
    return sseData({ id, object, created, model, system_fingerprint, choices, usage })
  }
}

/** A delta in this format; undefined where it has no field, or waits for the part to close. */
function deltaOf(open: Part, event: PartEvent<'delta'>): JsonObject | undefined {
  const { text, json, base64, citation } = event
  switch (open.part.kind) {
    case 'text': {
      const cited = citation === undefined ? undefined : annotation(citation)
      if (cited !== undefined) return present({ content: text, annotations: [cited] })
      return text === undefined ? undefined : { content: text }
    }
    case 'reasoning':
      return text === undefined ? undefined : { reasoning_content: text }
    case 'refusal':
      return text === undefined ? undefined : { refusal: text }
    case 'toolCall':
      if (json === undefined) return undefined
      return { tool_calls: [{ index: open.tool, function: { arguments: json } }] }
    case 'media':
      if (open.part.type === 'audio') {
        const audio = present({ data: base64, transcript: text })
        return Object.keys(audio).length === 0 ? undefined : { audio }
      }
      open.base64 += base64 ?? ''
      return undefined
    default:
      return undefined
  }
}

/** What can be sent only when a part is complete: an image, a seal. */
function closing(answer: Answer, open: Part, whole: Json | undefined): JsonObject | undefined {
  const { part, seal } = open
  if (part.kind === 'media' && part.type === 'image') {
    const url = urlIn(whole)
    if (url !== undefined) return { images: [imageEntry({ url })] }
    return open.base64 === ''
      ? undefined
      : { images: [imageEntry({ base64: open.base64, mime: part.mime })] }
  }
  if (seal === undefined) return undefined
  if (part.kind === 'toolCall') {
    // Some clients take no piece of a call without its function.
    const piece = { index: open.tool, function: { arguments: '' }, ...toolExtra(seal) }
    return { tool_calls: [piece] }
  }
  if (part.kind !== 'reasoning') return undefined
  // Clients that gather deltas keep the last value of a key, so each repeats all there was.
  answer.stretches.push({ chars: open.chars, seal })
  return { extra_content: reasoningExtra(answer.stretches) }
}
