/**
 * Canonical events as chunks of a generative stream. Text and thoughts go out as they come, a call when it is whole; a
 * reason for stopping waits, so that it shares the last chunk with the counts.
 */
import type { Event, OpenPart, Usage } from '../../../kernel/contract/event.js'
import type { Reader } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { mintId, toolInput } from '../../../kernel/toolkit/format/index.js'
import { type Cited, citedIn, writeGrounding } from './citations.js'
import { numberOf, objectsOf, parsedObject, present } from './fields.js'
import { writeLogprobs } from './logprobs.js'
import { type Seal, writeSeal } from './seal.js'
import { writeStop } from './stop.js'
import { writeUsage } from './usage.js'

type Of<K extends Event['type']> = Extract<Event, { type: K }>

interface Open {
  readonly part: OpenPart
  /** Position of its text in the text of the candidate, in characters. */
  readonly from: number
  to: number
  json: string
  seal?: Seal
}

/** One candidate. */
interface Answer {
  readonly open: Map<number, Open>
  readonly cited: { readonly source: Cited; readonly part: Open }[]
  /** The text so far: grounding points into it. */
  text: string
  /** Metadata of this format that passed already; it holds more than events can express. */
  readonly reported: Set<string>
  /** Of the last call whose input is no object, which this format has no place for. */
  malformedTool?: string
}

export class EventEncoder {
  private readonly answers = new Map<number, Answer>()
  private responseId: string
  private createTime: string | undefined
  private usage: Usage | undefined
  private stop: Of<'stop'> | undefined

  constructor(private readonly call: Pick<Reader, 'model' | 'requestId'>) {
    this.responseId = mintId('', call.model, call.requestId ?? '')
  }

  encode(event: Event): JsonObject[] {
    switch (event.type) {
      case 'start':
        this.start(event)
        return []
      case 'usage':
        this.usage = { ...this.usage, ...present(event.usage) }
        return []
      case 'open':
        this.open(event)
        return []
      case 'delta':
        return this.delta(event)
      case 'close':
        return this.close(event)
      case 'stop':
        return this.stopped(event)
      case 'note':
        return event.of === 'generative' && isObject(event.raw) ? this.note(event.raw) : []
      case 'end':
        return this.end()
      case 'failure':
        return []
    }
  }

  private start({ id, created }: Of<'start'>): void {
    if (id !== undefined) this.responseId = id
    if (created !== undefined) this.createTime = timestampOf(created)
  }

  private open({ at, part }: Of<'open'>): void {
    const answer = this.answer(at.choice)
    const from = answer.text.length
    answer.open.set(at.part, { part, from, to: from, json: '' })
  }

  private delta(event: Of<'delta'>): JsonObject[] {
    const { at, json, citation, logprobs, seal, sealBy } = event
    const answer = this.answer(at.choice)
    const open = answer.open.get(at.part)
    if (open === undefined) return []
    if (json !== undefined) open.json += json
    if (seal !== undefined) {
      open.seal = { by: sealBy ?? 'generative', value: (open.seal?.value ?? '') + seal }
    }
    const source = citation === undefined ? undefined : citedIn(citation)
    if (source !== undefined) answer.cited.push({ source, part: open })
    const chunks: JsonObject[] = []
    for (const piece of piecesOf(open.part, event)) {
      // A signature goes out with what it came with, else when its part is complete.
      const signature = seal === undefined ? undefined : takenSeal(open)
      chunks.push(...this.partChunk(at.choice, open, piece, signature))
    }
    if (logprobs !== undefined) chunks.push(...this.logprobs(at.choice, logprobs))
    return chunks
  }

  private partChunk(
    choice: number,
    open: Open,
    piece: JsonObject,
    signature: string | undefined,
  ): JsonObject[] {
    const answer = this.answer(choice)
    if (typeof piece.text === 'string' && piece.thought === undefined) {
      answer.text += piece.text
      open.to = answer.text.length
    }
    const part = signature === undefined ? piece : { ...piece, thoughtSignature: signature }
    return this.written({ content: { parts: [part], role: 'model' }, index: choice })
  }

  private logprobs(index: number, logprobs: Json): JsonObject[] {
    const logprobsResult = writeLogprobs(logprobs)
    const reported = this.answer(index).reported.has('logprobsResult')
    return reported || logprobsResult === undefined ? [] : this.written({ logprobsResult, index })
  }

  private close({ at, whole }: Of<'close'>): JsonObject[] {
    const parts = this.answer(at.choice).open
    const open = parts.get(at.part)
    if (open === undefined) return []
    parts.delete(at.part)
    const signature = takenSeal(open)
    const last = lastOf(open, whole)
    if (last !== undefined) return this.partChunk(at.choice, open, last, signature)
    if (open.part.kind === 'toolCall') this.answer(at.choice).malformedTool = open.part.name
    return signature === undefined ? [] : this.partChunk(at.choice, open, { text: '' }, signature)
  }

  private stopped(event: Of<'stop'>): JsonObject[] {
    const earlier = this.heldStop()
    this.stop = event
    return earlier
  }

  private note(raw: JsonObject): JsonObject[] {
    for (const { index, ...rest } of objectsOf(raw.candidates)) {
      const { reported } = this.answer(numberOf(index) ?? 0)
      for (const key of Object.keys(rest)) reported.add(key)
    }
    return [...this.heldStop(), { ...raw, ...this.chunk(raw.candidates) }]
  }

  private end(): JsonObject[] {
    this.stop ??= { type: 'stop', choice: 0, reason: 'end', word: 'STOP' }
    const usageMetadata = this.usage && writeUsage(this.usage)
    return this.heldStop().map((chunk) => ({ ...chunk, usageMetadata }))
  }

  /** The pending finish reason; a candidate that stopped while others go on is sent before them. */
  private heldStop(): JsonObject[] {
    const { stop } = this
    if (stop === undefined) return []
    this.stop = undefined
    const { choice } = stop
    const candidate = {
      content: { parts: [{ text: '' }], role: 'model' },
      ...this.finish(stop),
      index: choice,
      ...this.grounding(choice),
    }
    return [this.chunk([candidate])]
  }

  /** Where a call was to be run that cannot be written, it is the reason; any other reason explains it. */
  private finish({ choice, reason, word }: Of<'stop'>): JsonObject {
    const { malformedTool } = this.answer(choice)
    if (malformedTool === undefined || (reason !== 'tool' && reason !== 'end')) {
      return { finishReason: writeStop(reason, word) }
    }
    const finishMessage = `Malformed function call: the arguments of ${malformedTool} are not a JSON object that can be read.`
    return { finishReason: writeStop('malformedTool', ''), finishMessage }
  }

  private grounding(choice: number): JsonObject {
    const { cited, text, reported } = this.answer(choice)
    const ownWords = reported.has('groundingMetadata') || reported.has('citationMetadata')
    if (cited.length === 0 || ownWords) return {}
    const placed = cited.map(({ source, part }) => ({ from: part.from, to: part.to, ...source }))
    return { groundingMetadata: writeGrounding(placed, text) }
  }

  private written(candidate: JsonObject): JsonObject[] {
    const chunk = this.chunk([candidate])
    return this.stop === undefined ? [chunk] : [...this.heldStop(), chunk]
  }

  /** Without a spread: this is made for every piece of text. */
  private chunk(candidates: Json | undefined): JsonObject {
    const { createTime, responseId } = this
    return { candidates, modelVersion: this.call.model, createTime, responseId }
  }

  private answer(choice: number): Answer {
    let answer = this.answers.get(choice)
    if (answer === undefined) {
      answer = { open: new Map(), cited: [], text: '', reported: new Set() }
      this.answers.set(choice, answer)
    }
    return answer
  }
}

/** What is sent of a delta at once; calls wait until they are whole. */
function piecesOf(part: OpenPart, { text, base64 }: Of<'delta'>): JsonObject[] {
  const pieces: JsonObject[] = []
  if (text) pieces.push(part.kind === 'reasoning' ? { text, thought: true } : { text })
  if (base64 && part.kind === 'media') {
    const mimeType = part.mime ?? (part.type === 'image' ? 'image/png' : 'audio/wav')
    pieces.push({ inlineData: { mimeType, data: base64 } })
  }
  return pieces
}

/** What can be sent of a part only when it is complete. */
function lastOf({ part, json }: Open, whole: Json | undefined): JsonObject | undefined {
  switch (part.kind) {
    case 'toolCall': {
      const args = toolInput(json)
      return args && { functionCall: { id: part.id, name: part.name, args } }
    }
    case 'serverTool':
      return part.of === 'generative' ? { executableCode: parsedObject(json) ?? {} } : undefined
    case 'opaque':
      return part.of === 'generative' && isObject(whole) ? whole : undefined
    case 'media':
      return isObject(whole) && typeof whole.url === 'string'
        ? { fileData: { fileUri: whole.url } }
        : undefined
    default:
      return undefined
  }
}

/** The signature a part holds, which then is reported. */
function takenSeal(open: Open): string | undefined {
  const { seal } = open
  open.seal = undefined
  return seal && writeSeal(seal)
}

/** Of Unix seconds. Undefined: no calendar has such a day. */
function timestampOf(seconds: number): string | undefined {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
