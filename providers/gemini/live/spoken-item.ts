/** One message the model speaks, with its words beside. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Wires } from './wires.js'

export class SpokenItem {
  private readonly id: string
  private readonly at: JsonObject
  private words = ''

  constructor(
    private readonly wires: Wires,
    private readonly response_id: string,
    private readonly output_index: number,
  ) {
    this.id = wires.id('item')
    this.at = { response_id, item_id: this.id, output_index, content_index: 0 }
    const item = this.item('in_progress', [])
    wires.emit('response.output_item.added', { response_id, output_index, item })
    wires.emit('conversation.item.added', { previous_item_id: null, item })
    wires.emit('response.content_part.added', { ...this.at, part: this.part() })
  }

  sound(base64: string): void {
    this.wires.emit('response.output_audio.delta', { ...this.at, delta: base64 })
  }

  say(words: string): void {
    if (words === '') return
    this.words += words
    this.wires.emit('response.output_audio_transcript.delta', { ...this.at, delta: words })
  }

  close(status: 'completed' | 'incomplete'): JsonObject {
    const { wires, at, response_id, output_index, words: transcript } = this
    const item = this.item(status, [{ type: 'output_audio', transcript }])
    wires.emit('response.output_audio.done', at)
    wires.emit('response.output_audio_transcript.done', { ...at, transcript })
    wires.emit('response.content_part.done', { ...at, part: this.part() })
    wires.emit('conversation.item.done', { previous_item_id: null, item })
    wires.emit('response.output_item.done', { response_id, output_index, item })
    return item
  }

  private part(): JsonObject {
    return { type: 'audio', transcript: this.words }
  }

  private item(status: string, content: JsonObject[]): JsonObject {
    const shared = { id: this.id, object: 'realtime.item', type: 'message', role: 'assistant' }
    return { ...shared, status, content }
  }
}
