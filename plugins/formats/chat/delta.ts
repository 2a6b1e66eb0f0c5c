/** What one delta of a stream, or one whole message, holds: the pieces in the order a reader meets them. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { numberOf, objectOf, objectsOf, someText, textOf } from './fields.js'

export type Piece =
  | { readonly kind: 'reasoning' | 'text' | 'refusal'; readonly text: string }
  | {
      readonly kind: 'tool'
      /** Place among the tool calls of the answer; some upstreams leave it out. */
      readonly index?: number
      readonly id?: string
      readonly name?: string
      readonly json: string
      readonly extra?: Json
    }
  | { readonly kind: 'audio'; readonly id?: string; readonly base64: string; readonly text: string }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'citation'; readonly citation: Json }
  | { readonly kind: 'extra'; readonly extra: Json }

export function readDelta(delta: JsonObject): Piece[] {
  const pieces: Piece[] = []
  const reasoning = someText(delta.reasoning_content) ?? someText(delta.reasoning)
  if (reasoning !== undefined) pieces.push({ kind: 'reasoning', text: reasoning })
  // Seals of the reasoning come right behind it.
  if (delta.extra_content) pieces.push({ kind: 'extra', extra: delta.extra_content })
  readContent(delta.content, pieces)
  const refusal = someText(delta.refusal)
  if (refusal !== undefined) pieces.push({ kind: 'refusal', text: refusal })
  for (const citation of objectsOf(delta.annotations)) pieces.push({ kind: 'citation', citation })
  const audio = objectOf(delta.audio)
  if (audio !== undefined) pieces.push(readAudio(audio))
  for (const image of objectsOf(delta.images)) pieces.push(...readImage(image))
  for (const call of objectsOf(delta.tool_calls)) pieces.push(readTool(call))
  return pieces
}

/** A string, or typed pieces: some upstreams send text and thinking as parts. */
function readContent(content: Json | undefined, pieces: Piece[]): void {
  if (typeof content === 'string') {
    if (content !== '') pieces.push({ kind: 'text', text: content })
    return
  }
  for (const part of objectsOf(content)) {
    const text = someText(part.text)
    if (part.type === 'thinking') pieces.push(...readThinking(part.thinking))
    else if (text !== undefined) pieces.push({ kind: 'text', text })
  }
}

function readThinking(thinking: Json | undefined): Piece[] {
  const texts =
    typeof thinking === 'string' ? [thinking] : objectsOf(thinking).map(({ text }) => textOf(text))
  return texts.flatMap((text) => (text ? [{ kind: 'reasoning', text } as const] : []))
}

function readAudio(audio: JsonObject): Piece {
  const base64 = textOf(audio.data) ?? ''
  return { kind: 'audio', id: someText(audio.id), base64, text: textOf(audio.transcript) ?? '' }
}

function readImage(image: JsonObject): Piece[] {
  const url = someText(objectOf(image.image_url)?.url)
  return url === undefined ? [] : [{ kind: 'image', url }]
}

function readTool(call: JsonObject): Piece {
  const called = objectOf(call.function) ?? {}
  const input = called.arguments
  return {
    kind: 'tool',
    index: numberOf(call.index),
    id: someText(call.id),
    name: someText(called.name),
    json: typeof input === 'string' ? input : objectOf(input) ? JSON.stringify(input) : '',
    extra: call.extra_content,
  }
}

/** Whether a piece is content a client waits for. */
export function isContent(piece: Piece): boolean {
  switch (piece.kind) {
    case 'tool':
      return piece.name !== undefined || piece.json !== ''
    case 'audio':
      return piece.base64 !== '' || piece.text !== ''
    case 'extra':
      return false
    default:
      return true
  }
}
