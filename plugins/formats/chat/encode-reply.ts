/** Events folded to one chat reply. A stream and a body of the same answer fold to the same reply. */
import type { Event, OpenPart, Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import {
  type Answering,
  annotation,
  answerId,
  finishReason,
  imageEntry,
  urlIn,
} from './encode-words.js'
import { present } from './fields.js'
import { reasoningExtra, toolExtra } from './seals.js'
import { writeUsage } from './usage.js'

export function encodeReply(events: readonly Event[], call: Answering): JsonObject {
  const fold = new Fold()
  for (const event of events) fold.take(event)
  const { start } = fold
  return present<JsonObject>({
    id: answerId(start.id, call),
    object: 'chat.completion',
    created: start.created ?? 0,
    model: call.model,
    choices: fold.choices(),
    usage: fold.usage && writeUsage(fold.usage),
    system_fingerprint: start.fingerprint,
  })
}

type Start = Omit<Extract<Event, { type: 'start' }>, 'type'>
type Delta = Extract<Event, { type: 'delta' }>

/** What has been gathered of one part. */
interface Gathered {
  readonly part: OpenPart
  text: string
  json: string
  base64: string
  seal?: { readonly by: Issuer; readonly value: string }
  readonly citations: Json[]
  whole?: Json
}

/** One alternative answer. */
interface Answer {
  readonly parts: Map<number, Gathered>
  readonly logprobs: Json[]
  finish: string
}

class Fold {
  start: Start = {}
  usage: Usage | undefined
  private readonly answers = new Map<number, Answer>()

  take(event: Event): void {
    switch (event.type) {
      case 'start':
        this.start = event
        break
      case 'open':
        this.answer(event.at.choice).parts.set(event.at.part, gathered(event.part))
        break
      case 'delta':
        this.delta(event)
        break
      case 'close': {
        const part = this.answer(event.at.choice).parts.get(event.at.part)
        if (part !== undefined) part.whole = event.whole
        break
      }
      case 'stop':
        this.answer(event.choice).finish = finishReason(event.reason)
        break
      case 'usage':
        this.usage = { ...this.usage, ...present(event.usage) }
        break
      default:
    }
  }

  choices(): JsonObject[] {
    if (this.answers.size === 0) this.answer(0)
    return [...this.answers]
      .sort(([one], [other]) => one - other)
      .map(([index, { parts, logprobs, finish }]) =>
        present<JsonObject>({
          index,
          message: message([...parts.values()]),
          logprobs: mergedLogprobs(logprobs),
          finish_reason: finish,
        }),
      )
  }

  private delta({ at, text, json, base64, citation, logprobs, seal, sealBy }: Delta): void {
    const answer = this.answer(at.choice)
    const part = answer.parts.get(at.part)
    if (part === undefined) return
    part.text += text ?? ''
    part.json += json ?? ''
    part.base64 += base64 ?? ''
    if (citation !== undefined) part.citations.push(citation)
    if (logprobs !== undefined) answer.logprobs.push(logprobs)
    if (seal !== undefined && sealBy !== undefined) {
      part.seal = { by: sealBy, value: (part.seal?.value ?? '') + seal }
    }
  }

  private answer(choice: number): Answer {
    let answer = this.answers.get(choice)
    if (answer === undefined) {
      answer = { parts: new Map(), logprobs: [], finish: 'stop' }
      this.answers.set(choice, answer)
    }
    return answer
  }
}

function gathered(part: OpenPart): Gathered {
  return { part, text: '', json: '', base64: '', citations: [] }
}

function message(parts: readonly Gathered[]): JsonObject {
  const texts = parts.filter(({ part }) => part.kind === 'text')
  const reasoning = parts.filter(({ part }) => part.kind === 'reasoning')
  const calls = parts.flatMap(toolCall)
  const refusal = joined(parts.filter(({ part }) => part.kind === 'refusal'))
  const images = parts.flatMap(image)
  const annotations = texts.flatMap(({ citations }) =>
    citations.map(annotation).filter((one) => one !== undefined),
  )
  const saysNothing = texts.length === 0 && (calls.length > 0 || refusal !== '')
  return present<JsonObject>({
    role: 'assistant',
    content: saysNothing ? null : joined(texts),
    refusal: refusal === '' ? undefined : refusal,
    reasoning_content: joined(reasoning) === '' ? undefined : joined(reasoning),
    tool_calls: calls.length === 0 ? undefined : calls,
    audio: audio(parts.find(({ part }) => part.kind === 'media' && part.type === 'audio')),
    images: images.length === 0 ? undefined : images,
    annotations: annotations.length === 0 ? undefined : annotations,
    extra_content: reasoningExtra(
      reasoning.flatMap(({ text, seal }) => (seal ? [{ chars: text.length, seal }] : [])),
    ),
  })
}

function joined(parts: readonly Gathered[]): string {
  return parts.map(({ text }) => text).join('')
}

function toolCall({ part, json, seal }: Gathered): JsonObject[] {
  if (part.kind !== 'toolCall') return []
  const called = { name: part.name, arguments: json }
  return [{ id: part.id, type: 'function', function: called, ...toolExtra(seal) }]
}

function audio(gathered: Gathered | undefined): JsonObject | undefined {
  if (gathered?.part.kind !== 'media') return undefined
  return present({ id: gathered.part.id, data: gathered.base64, transcript: gathered.text })
}

function image({ part, base64, whole }: Gathered): JsonObject[] {
  if (part.kind !== 'media' || part.type !== 'image') return []
  const url = urlIn(whole)
  if (url !== undefined) return [imageEntry({ url })]
  return base64 === '' ? [] : [imageEntry({ base64, mime: part.mime })]
}

/** `{content: […], refusal: […]}` of all deltas in a row. */
function mergedLogprobs(reported: readonly Json[]): JsonObject | undefined {
  if (reported.length === 0) return undefined
  const merged: Record<string, Json> = {}
  for (const one of reported) {
    if (!isObject(one)) continue
    for (const [key, list] of Object.entries(one)) {
      const earlier = merged[key]
      const both = Array.isArray(earlier) && Array.isArray(list)
      merged[key] = both ? [...earlier, ...list] : (list ?? earlier ?? null)
    }
  }
  return merged
}
