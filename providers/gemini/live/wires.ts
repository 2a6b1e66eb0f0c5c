/** What goes out on both sides of one session, in order, and the ids of what the gateway names there. */
import type { TranslatedFrames } from '../../../kernel/contract/frames.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { clientError } from '../../../kernel/toolkit/errors/index.js'

export class Wires {
  private toUpstream: Buffer[] = []
  private toClient: Buffer[] = []
  private count = 0

  /** @param session a word of its own for this session, which its ids have in them */
  constructor(private readonly session: string) {}

  id(kind: 'sess' | 'event' | 'resp' | 'item'): string {
    this.count += 1
    return `${kind}_${this.session}_${this.count}`
  }

  /** A message of the service. */
  send(message: JsonObject): void {
    this.toUpstream.push(Buffer.from(JSON.stringify(message)))
  }

  /** An event for the client. */
  emit(type: string, fields: JsonObject): void {
    this.toClient.push(Buffer.from(JSON.stringify({ type, event_id: this.id('event'), ...fields })))
  }

  /** @param about id of the client's event that is at fault */
  emitError(error: unknown, about?: Json): void {
    const { message, type, code, param } = clientError(error)
    const cause = typeof about === 'string' ? { event_id: about } : {}
    this.emit('error', { error: { message, type, code, param, ...cause } })
  }

  taken(waits: boolean): TranslatedFrames {
    const { toUpstream, toClient } = this
    this.toUpstream = []
    this.toClient = []
    return { toUpstream, toClient, waits }
  }
}
