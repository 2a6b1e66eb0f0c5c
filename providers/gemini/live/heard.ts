/** What the user says aloud: how much of it has come, the item it becomes, and its words. */
import type { Wires } from './wires.js'

export class Heard {
  private bytes = 0
  private words = ''
  private itemId: string | undefined
  private isAdded = false

  constructor(
    private readonly wires: Wires,
    private readonly rate: number,
  ) {}

  add(base64: string): void {
    this.bytes += Math.floor((base64.length * 3) / 4)
  }

  /** The service detects speech without a word, and shows it by falling silent. */
  interrupts(): void {
    this.wires.emit('input_audio_buffer.speech_started', {
      audio_start_ms: Math.round((this.bytes / 2 / this.rate) * 1000),
      item_id: this.item(),
    })
  }

  commit(): void {
    const item_id = this.item()
    this.wires.emit('input_audio_buffer.committed', { previous_item_id: null, item_id })
    this.show()
  }

  say(words: string): void {
    this.show()
    this.words += words
    const at = { item_id: this.item(), content_index: 0 }
    this.wires.emit('conversation.item.input_audio_transcription.delta', { ...at, delta: words })
  }

  /** The turn is over, and what is said next is another item. */
  finish(): void {
    if (this.words !== '') {
      this.wires.emit('conversation.item.input_audio_transcription.completed', {
        ...{ item_id: this.item(), content_index: 0, transcript: this.words },
      })
    }
    if (this.isAdded) this.itemId = undefined
    this.isAdded = false
    this.words = ''
  }

  private item(): string {
    this.itemId ??= this.wires.id('item')
    return this.itemId
  }

  private show(): void {
    if (this.isAdded) return
    this.isAdded = true
    const shared = { id: this.item(), object: 'realtime.item', type: 'message', role: 'user' }
    const content = [{ type: 'input_audio', transcript: null }]
    const item = { ...shared, status: 'completed', content }
    this.wires.emit('conversation.item.added', { previous_item_id: null, item })
    this.wires.emit('conversation.item.done', { previous_item_id: null, item })
  }
}
