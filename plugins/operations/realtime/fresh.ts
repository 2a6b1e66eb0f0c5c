/** What the client has sent since the last answer was counted: input the upstream has not counted yet. */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { unitsOf } from '../../../kernel/toolkit/format/index.js'
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

  /** Whatever of an event becomes input. */
  note(event: JsonObject): void {
    for (const [name, value] of Object.entries(event)) {
      if (typeof value === 'string') this.noteText(name, value)
      else if (name === 'tools') this.estimatedTokens += unitsOf(JSON.stringify(value))
      else this.noteInside(value)
    }
  }

  counts(bytesPerSecond: number): Usage {
    return {
      input: this.estimatedTokens,
      inputAudio: inputTokens(this.audioBytes / bytesPerSecond),
      inputImage: this.images * tokensPerImage,
    }
  }

  private noteText(name: string, value: string): void {
    if (name === 'audio') this.audio(value.length)
    else if (name === 'image_url') this.images += 1
    else if (spoken.has(name)) this.estimatedTokens += unitsOf(value)
  }

  private noteInside(value: Json | undefined): void {
    if (Array.isArray(value)) for (const item of value) this.noteInside(item)
    else if (isObject(value)) this.note(value)
  }
}
