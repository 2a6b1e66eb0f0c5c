/** One answer as events: its beginning, its parts one after the other, its end. */
import type { Event, OpenPart } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json } from '../../kernel/contract/json.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'

export interface Origin {
  readonly id: Json | undefined
  readonly created: Json | undefined
}

type Stop = Extract<Event, { type: 'stop' }>

export class TextParts {
  over = false
  private started = false
  private parts = 0
  private isTextOpen = false

  get isEmpty(): boolean {
    return this.parts === 0
  }

  start({ id, created }: Origin): Event[] {
    if (this.started) return []
    this.started = true
    return [
      {
        type: 'start',
        ...(typeof id === 'string' && { id }),
        ...(typeof created === 'number' && { created }),
      },
    ]
  }

  text(origin: Origin, text: Json | undefined): Event[] {
    if (typeof text !== 'string' || text === '') return []
    const opened = this.isTextOpen ? [] : this.open(origin, { kind: 'text' })
    this.isTextOpen = true
    return [...opened, { type: 'delta', at: this.at(), text }]
  }

  picture(origin: Origin, url: string): Event[] {
    const opened = [...this.close(), ...this.open(origin, { kind: 'media', type: 'image' })]
    return [...opened, { type: 'close', at: this.at(), whole: { url } }]
  }

  end(origin: Origin, { reason, word }: Pick<Stop, 'reason' | 'word'>, counted: Event[]): Event[] {
    this.over = true
    return [
      ...this.start(origin),
      ...this.close(),
      { type: 'stop', choice: 0, reason, word },
      ...counted,
      { type: 'end' },
    ]
  }

  fail(failure: Failure = failureOfError({ blame: 'upstream' }, 200)): Event[] {
    if (this.over) return []
    this.over = true
    return [{ type: 'failure', failure }]
  }

  private open(origin: Origin, part: OpenPart): Event[] {
    this.parts += 1
    return [...this.start(origin), { type: 'open', at: this.at(), part }]
  }

  private close(): Event[] {
    if (!this.isTextOpen) return []
    this.isTextOpen = false
    return [{ type: 'close', at: this.at() }]
  }

  private at() {
    return { choice: 0, part: this.parts - 1 }
  }
}
