/** Events `speech.audio.*`: pieces of sound pass unread, the last event counts tokens of text and of sound. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  countOf,
  type EventKind,
  type EventReader,
  objectOf,
} from '../../../kernel/toolkit/operation/index.js'

export class SpeechReader implements EventReader {
  readonly estimatedTokens = 0
  usage: Usage | undefined
  raw: JsonObject | undefined

  kindOf(type: string): EventKind {
    if (type === 'speech.audio.done') return 'last'
    return type === 'speech.audio.delta' ? 'content' : 'other'
  }

  last({ usage }: JsonObject): void {
    this.raw = objectOf(usage)
    const input = countOf(this.raw?.input_tokens)
    const outputAudio = countOf(this.raw?.output_tokens)
    if (input === undefined && outputAudio === undefined) return
    this.usage = { input, output: 0, outputAudio }
  }
}
