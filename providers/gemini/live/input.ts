/** What the client does, as messages of the service. Texts and results wait for the request of an answer, which they begin here. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { objectOf } from '../../../kernel/toolkit/json/index.js'
import type { Answers } from './answer.js'
import { takesClientContent } from './facts.js'
import type { Heard } from './heard.js'
import { Items, invalid } from './items.js'
import { refuseOverrides } from './overrides.js'
import { text as textOf } from './reading.js'
import type { LiveSession } from './session.js'
import type { Wires } from './wires.js'

export interface InputOptions {
  readonly model: string
  readonly session: LiveSession
  readonly wires: Wires
  readonly answers: Answers
  readonly heard: Heard
  readonly functions: Map<string, string>
}

export class Input {
  private readonly items: Items
  /** Where the client says when the user has finished: sound has come, and it is said to be all. */
  private hasSound = false
  private isCommitted = false

  private readonly takers: ReadonlyMap<Json | undefined, (event: JsonObject) => void>

  constructor(private readonly options: InputOptions) {
    this.items = new Items(options.wires, options.functions)
    this.takers = new Map([
      ['input_audio_buffer.append', ({ audio }: JsonObject) => this.append(textOf(audio))],
      ['input_audio_buffer.commit', () => this.commit()],
      ['input_audio_buffer.clear', () => this.clear()],
      ['conversation.item.create', (event: JsonObject) => this.items.create(event)],
      ['response.create', ({ response }: JsonObject) => this.answer(objectOf(response) ?? {})],
      ['response.cancel', () => this.cancel()],
    ])
  }

  take(event: JsonObject): void {
    const take = this.takers.get(event.type)
    if (take === undefined) throw notExpressible(textOf(event.type) || 'type')
    take(event)
  }

  private append(base64: string): void {
    if (base64 === '') throw invalid('audio', 'must hold samples in base64.')
    const { wires, session, heard } = this.options
    if (!session.detects && !this.hasSound) wires.send({ realtimeInput: { activityStart: {} } })
    this.hasSound = true
    this.isCommitted = false
    heard.add(base64)
    const audio = { data: base64, mimeType: `audio/pcm;rate=${session.rate}` }
    wires.send({ realtimeInput: { audio } })
  }

  private commit(): void {
    const { wires, session, heard } = this.options
    if (!this.hasSound) throw invalid('audio', 'none has been appended since the last commit.')
    heard.commit()
    if (session.detects) {
      wires.send({ realtimeInput: { audioStreamEnd: true } })
      this.hasSound = false
    } else this.isCommitted = true
  }

  /** What has been sent is heard already. */
  private clear(): void {
    if (this.hasSound) throw notExpressible('input_audio_buffer.clear')
    this.options.wires.emit('input_audio_buffer.cleared', {})
  }

  private answer(response: JsonObject): void {
    refuseOverrides(response)
    const { wires, session } = this.options
    const ends = !session.detects && this.isCommitted
    if (!ends && !this.items.any)
      throw invalid(
        'response',
        'needs input that came before it: the model begins no talk by itself.',
      )
    this.items.send()
    if (!ends) return
    wires.send({ realtimeInput: { activityEnd: {} } })
    this.hasSound = false
    this.isCommitted = false
  }

  /** A message of this kind interrupts the answer under way, whatever it holds (ai.google.dev/api/live). */
  private cancel(): void {
    const { answers, model, wires } = this.options
    if (!answers.isOpen) throw invalid('response', 'none is under way.')
    if (!takesClientContent(model)) throw notExpressible('response.cancel')
    answers.interrupt('client_cancelled')
    wires.send({ clientContent: { turnComplete: false } })
  }
}
