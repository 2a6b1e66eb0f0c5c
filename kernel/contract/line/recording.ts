/** What is kept of one request where recording is switched on. None of these throws, and none of them waits. */
import type { EgressReply } from '../services/egress.js'
import type { Channel } from './channel.js'

export interface Recording {
  /** A call to an upstream goes out. Texts among `secrets` never stay in what is kept. */
  sent(state: RecordedTry, request: RecordedRequest, secrets: readonly string[]): RecordedCall
}

/** The try a call belongs to. */
export interface RecordedTry {
  readonly number: number
  readonly channel: Channel
  readonly keyId: number
}

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Files are kept by their size alone. */
  readonly isForm?: boolean
}

export interface RecordedCall {
  /** The same reply, whose bytes are kept as they are read. */
  replied(reply: EgressReply): EgressReply
  /** No reply came. */
  failed(reason: string): void
}
