/** What is kept of one request where recording is switched on. None of these throws, and none of them waits. */
import type { EgressReply } from '../services/egress.js'
import type { Picked } from './record.js'

export interface Recording {
  /** A call to an upstream goes out. Texts among `secrets` never stay in what is kept. */
  sent(
    state: Pick<Picked, 'number' | 'channel' | 'keyId'>,
    request: RecordedRequest,
    secrets: readonly string[],
  ): RecordedCall
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

/** What a client is sent, for whoever keeps it. */
export interface SinkWatcher {
  /** Names and values in turn. */
  head(status: number, headers: readonly string[]): void
  bytes(chunk: Buffer | string): void
  /** Once and last. `gone`: the client left before the end. */
  closed(gone: boolean): void
}
