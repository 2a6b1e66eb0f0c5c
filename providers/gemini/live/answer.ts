/**
 * The answers of a session as events. A turn of the service is one answer, unless functions are called in it: the client waits for
 * the end of an answer before it calls them, so one ends there.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { someText } from '../../../kernel/toolkit/json/index.js'
import { SpokenItem } from './spoken-item.js'
import { Counts } from './usage.js'
import type { Wires } from './wires.js'

export type Interruption = 'turn_detected' | 'client_cancelled'

export class Answers {
  private id: string | undefined
  private output: JsonObject[] = []
  private spoken: SpokenItem | undefined
  /** Words that came before any sound: they begin no answer, since some come alone behind one. */
  private words = ''
  /** Counts of the answer under way, or of the next one where none is. They come in pieces, which add up. */
  private counts = new Counts()
  /** The answer before, where one of its sides has not been counted: what comes then belongs to it. */
  private uncounted: { readonly response: JsonObject; readonly counts: Counts } | undefined
  private interruption: Interruption | undefined

  /** @param functions names of those called, by the ids of the calls */
  constructor(
    private readonly wires: Wires,
    private readonly functions: Map<string, string>,
  ) {}

  get isOpen(): boolean {
    return this.id !== undefined
  }

  count(reported: JsonObject): void {
    const { uncounted } = this
    if (this.isOpen || uncounted === undefined) this.counts.add(reported)
    else if (uncounted.counts.add(reported)) this.report(uncounted.response, uncounted.counts)
  }

  sound(base64: string): void {
    if (this.interruption !== undefined) this.finish()
    this.speaking().sound(base64)
  }

  say(words: string): void {
    if (this.spoken === undefined) this.words += words
    else this.spoken.say(words)
  }

  /** False: it is known already, or there is nothing to interrupt. */
  interrupt(reason: Interruption): boolean {
    if (!this.isOpen || this.interruption !== undefined) return false
    this.interruption = reason
    return true
  }

  call(calls: readonly JsonObject[]): void {
    const id = this.begin()
    this.closeSpoken('completed')
    for (const one of calls) this.callOne(id, one)
    this.finish()
  }

  finish(): void {
    this.words = ''
    const { id, interruption, counts } = this
    if (id === undefined) return
    const status = interruption === undefined ? 'completed' : 'cancelled'
    this.closeSpoken(interruption === undefined ? 'completed' : 'incomplete')
    const response = {
      ...{ id, object: 'realtime.response', status, output: this.output },
      status_details: interruption === undefined ? null : { type: status, reason: interruption },
      output_modalities: ['audio'],
    }
    this.report(response, counts)
    this.id = undefined
    this.counts = new Counts()
    this.interruption = undefined
  }

  /** Reported once more where more of it has been counted: the session takes the difference, and the client gets the first. */
  private report(response: JsonObject, counts: Counts): void {
    const { usage } = counts
    this.wires.emit('response.done', { response: { ...response, ...(usage && { usage }) } })
    this.uncounted = counts.isWhole ? undefined : { response, counts }
  }

  private begin(): string {
    if (this.id !== undefined) return this.id
    this.id = this.wires.id('resp')
    this.output = []
    const response = {
      ...{ id: this.id, object: 'realtime.response', status: 'in_progress', output: [] },
      ...{ status_details: null, output_modalities: ['audio'], usage: null },
    }
    this.wires.emit('response.created', { response })
    return this.id
  }

  private speaking(): SpokenItem {
    if (this.spoken !== undefined) return this.spoken
    const spoken = new SpokenItem(this.wires, this.begin(), this.output.length)
    this.spoken = spoken
    spoken.say(this.words)
    this.words = ''
    return spoken
  }

  private closeSpoken(status: 'completed' | 'incomplete'): void {
    if (this.spoken !== undefined) this.output.push(this.spoken.close(status))
    this.spoken = undefined
  }

  private callOne(response_id: string, { id, name, args }: JsonObject): void {
    const { wires } = this
    const call_id = someText(id) ?? wires.id('item')
    this.functions.set(call_id, someText(name) ?? '')
    const shared = { id: wires.id('item'), object: 'realtime.item', type: 'function_call' }
    const call = { ...shared, call_id, name: someText(name) ?? '' }
    const begun = { ...call, status: 'in_progress', arguments: '' }
    const written = JSON.stringify(args ?? {})
    const at = { response_id, item_id: shared.id, output_index: this.output.length }
    wires.emit('response.output_item.added', { ...at, item: begun })
    wires.emit('conversation.item.added', { previous_item_id: null, item: begun })
    wires.emit('response.function_call_arguments.delta', { ...at, call_id, delta: written })
    const done = { ...at, call_id, name: call.name, arguments: written }
    wires.emit('response.function_call_arguments.done', done)
    const item = { ...call, status: 'completed', arguments: written }
    wires.emit('conversation.item.done', { previous_item_id: null, item })
    wires.emit('response.output_item.done', { ...at, item })
    this.output.push(item)
  }
}
