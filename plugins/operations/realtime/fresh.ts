/** What the client has sent since the last answer was counted: input the upstream has not counted yet. */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import type { Turns } from '../../../kernel/toolkit/json/index.js'
import { decodedLength, inputTokens } from './audio.js'

/** A picture, whatever its size. */
const tokensPerImage = 1_000
/** Fields whose text becomes part of the prompt. */
const spoken: ReadonlySet<string> = new Set([
  'text',
  'transcript',
  'instructions',
  'arguments',
  'output',
])

export class Fresh {
  private estimatedTokens = 0
  private audioBytes = 0
  private images = 0

  /** A piece of audio, by the length of its base64. */
  audio(characters: number): void {
    this.audioBytes += decodedLength(characters)
  }

  /** Whatever of an event becomes input, with turns for others between long texts. */
  *note(event: JsonObject): Turns<void> {
    for (const [name, value] of Object.entries(event)) {
      if (typeof value === 'string') yield* this.noteText(name, value)
      else if (name === 'tools') this.estimatedTokens += yield* unitsInTurns(JSON.stringify(value))
      else yield* this.noteInside(value)
    }
  }

  /** What was noted apart. */
  add({ estimatedTokens, audioBytes, images }: Fresh): void {
    this.estimatedTokens += estimatedTokens
    this.audioBytes += audioBytes
    this.images += images
  }

  counts(bytesPerSecond: number): Usage {
    return {
      input: this.estimatedTokens,
      inputAudio: inputTokens(this.audioBytes / bytesPerSecond),
      inputImage: this.images * tokensPerImage,
    }
  }

  private *noteText(name: string, value: string): Turns<void> {
    if (name === 'audio') this.audio(value.length)
    else if (name === 'image_url') this.images += 1
    else if (spoken.has(name)) this.estimatedTokens += yield* unitsInTurns(value)
  }

  private *noteInside(value: Json | undefined): Turns<void> {
    if (Array.isArray(value)) for (const item of value) yield* this.noteInside(item)
    else if (isObject(value)) yield* this.note(value)
  }
}

/** Characters counted before others have their turn. */
const stretch = 512 * 1024

function* unitsInTurns(text: string): Turns<number> {
  const counter = new TokenCounter()
  for (let from = 0; from < text.length; from += stretch) {
    if (from > 0) yield
    counter.add(text.slice(from, from + stretch))
  }
  return counter.estimatedTokens
}
