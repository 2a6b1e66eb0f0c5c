/**
 * One candidate of an answer as events. This format never marks where a part begins or ends: stretches of text and of
 * thoughts go on from chunk to chunk, every other part comes whole. What is signed is a part of its own, since a
 * signature goes back with exactly what it came with.
 */
import type { Event, OpenPart } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { readCitations } from './citations.js'
import { beside, objectOf, objectsOf, someText, textOf } from './fields.js'
import { readLogprobs } from './logprobs.js'
import { readSeal } from './seal.js'
import { readStop } from './stop.js'

type Flowing = 'text' | 'reasoning'
type DeltaFields = Omit<Extract<Event, { type: 'delta' }>, 'type' | 'at'>

const read: ReadonlySet<string> = new Set(['content', 'finishReason', 'index'])

export class AnswerDecoder {
  private parts = 0
  private flowing: { readonly kind: Flowing; readonly part: number } | undefined
  /** The text so far: citations point into it. */
  private text = ''
  private readonly cited = new Set<string>()
  private calledTools = false
  /** The last finish reason; some models send one with every chunk. */
  private word: string | undefined

  constructor(
    private readonly choice: number,
    private readonly answerId: string,
  ) {}

  get stopped(): boolean {
    return this.word !== undefined
  }

  take(candidate: JsonObject): Event[] {
    const parts = objectsOf(objectOf(candidate.content)?.parts)
    const events = parts.flatMap((part) => this.part(part))
    const rest = beside(candidate, read)
    if (rest !== undefined) events.push(...this.metadata(rest))
    this.word = someText(candidate.finishReason) ?? this.word
    return events
  }

  /** Nothing more comes. */
  finish(): Event[] {
    const word = this.word ?? 'FINISH_REASON_UNSPECIFIED'
    const reason = readStop(word, this.calledTools)
    return [...this.closeFlowing(), { type: 'stop', choice: this.choice, reason, word }]
  }

  /** Grounding, ratings and the like go back to this format as they came; others get what they can read of it. */
  private metadata(rest: JsonObject): Event[] {
    const raw = { candidates: [{ index: this.choice, ...rest }] }
    const events: Event[] = [{ type: 'note', of: 'generative', raw }]
    for (const citation of readCitations(rest, this.text)) {
      const key = JSON.stringify(citation)
      if (this.cited.has(key)) continue
      this.cited.add(key)
      events.push(...this.flow('text', { citation }))
    }
    const logprobs = readLogprobs(rest.logprobsResult)
    if (logprobs !== undefined) events.push(...this.flow('text', { logprobs }))
    return events
  }

  private part(part: JsonObject): Event[] {
    const { text, thought, thoughtSignature, functionCall, inlineData, executableCode } = part
    const signature = someText(thoughtSignature)
    if (typeof text === 'string') return this.textEvents(text, thought === true, signature)
    const events = this.closeFlowing()
    const known =
      this.call(objectOf(functionCall), signature) ??
      this.media(thought === true ? undefined : objectOf(inlineData), signature) ??
      this.code(objectOf(executableCode), signature)
    if (known !== undefined) return [...events, ...known]
    return [...events, ...this.whole({ kind: 'opaque', of: 'generative' }, undefined, part)]
  }

  private textEvents(text: string, thought: boolean, signature: string | undefined): Event[] {
    const kind = thought ? 'reasoning' : 'text'
    if (!thought) this.text += text
    if (signature === undefined) return text === '' ? [] : this.flow(kind, { text })
    // Nothing but a signature is state of the model's reasoning, wherever it stands.
    const open: OpenPart = { kind: text === '' ? 'reasoning' : kind }
    const fields = { ...(text !== '' && { text }), ...sealed(signature) }
    return [...this.closeFlowing(), ...this.whole(open, fields)]
  }

  private call(call: JsonObject | undefined, signature: string | undefined): Event[] | undefined {
    const name = textOf(call?.name)
    // Arguments in pieces come only where a client of this format requests them.
    if (name === undefined || call?.partialArgs !== undefined || call?.willContinue === true) return
    this.calledTools = true
    const json = JSON.stringify(call?.args ?? {})
    const id = someText(call?.id) ?? this.mint('call_', name, json)
    return this.whole({ kind: 'toolCall', id, name }, { json, ...sealed(signature) })
  }

  private media(blob: JsonObject | undefined, signature: string | undefined): Event[] | undefined {
    const mime = textOf(blob?.mimeType)
    const base64 = textOf(blob?.data)
    const type = /^(image|audio)\//.exec(mime ?? '')?.[1] as 'image' | 'audio' | undefined
    if (type === undefined || mime === undefined || base64 === undefined) return undefined
    return this.whole({ kind: 'media', type, mime }, { base64, ...sealed(signature) })
  }

  /** Code the service runs itself; its result follows as a part of its own. */
  private code(code: JsonObject | undefined, signature: string | undefined): Event[] | undefined {
    if (code === undefined) return undefined
    const json = JSON.stringify(code)
    const id = someText(code.id) ?? this.mint('code_', json)
    const part: OpenPart = { kind: 'serverTool', id, name: 'code_execution', of: 'generative' }
    return this.whole(part, { json, ...sealed(signature) })
  }

  private whole(part: OpenPart, fields: DeltaFields | undefined, value?: Json): Event[] {
    const at = { choice: this.choice, part: this.parts }
    this.parts += 1
    return [
      { type: 'open', at, part },
      ...(fields === undefined ? [] : [{ type: 'delta', at, ...fields } as const]),
      { type: 'close', at, ...(value !== undefined && { whole: value }) },
    ]
  }

  /** Goes on in the part of this kind that is open, or opens one. */
  private flow(kind: Flowing, fields: DeltaFields): Event[] {
    const events: Event[] = []
    if (this.flowing?.kind !== kind) {
      events.push(...this.closeFlowing())
      this.flowing = { kind, part: this.parts }
      this.parts += 1
      events.push({
        type: 'open',
        at: { choice: this.choice, part: this.flowing.part },
        part: { kind },
      })
    }
    const at = { choice: this.choice, part: this.flowing.part }
    events.push({ type: 'delta', at, ...fields })
    return events
  }

  private closeFlowing(): Event[] {
    if (this.flowing === undefined) return []
    const { part } = this.flowing
    this.flowing = undefined
    return [{ type: 'close', at: { choice: this.choice, part } }]
  }

  private mint(prefix: string, ...seeds: readonly string[]): string {
    return mintId(prefix, this.answerId, this.choice, this.parts, ...seeds)
  }
}

function sealed(signature: string | undefined): DeltaFields {
  if (signature === undefined) return {}
  const { by, value } = readSeal(signature)
  return { seal: value, sealBy: by }
}
