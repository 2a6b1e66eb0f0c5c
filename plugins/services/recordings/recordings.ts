/** What others see of recordings: which requests are kept, what is kept of them, and who reads it (decision 0097). */
import type { RecordingTerms, Token, User } from '../../../kernel/contract/line/people.js'
import type { Received } from '../../../kernel/contract/line/record.js'
import type { Recording } from '../../../kernel/contract/line/recording.js'

export type RecordingLevel = RecordingTerms['level']

export interface Recordings {
  /** Undefined: nobody's requests are kept, but for those of single keys. */
  readonly everybody: RecordingWindow | undefined
  /** Undefined: this request is not kept. */
  begin(
    state: Received,
    caller: { readonly user: User; readonly token?: Token },
  ): Recording | undefined
  /** Keeps everybody's requests until then, in every process once it resolves. */
  switchOn(window: RecordingWindow): Promise<void>
  /** Nothing that is under way is kept any more either. */
  switchOff(): Promise<void>
  /** Undefined: there is none. */
  read(requestId: string): Promise<StoredRecording | undefined>
  /** Whether there is one, without opening it. */
  find(requestId: string): Promise<RecordingFacts | undefined>
  /** Returns how many there were. */
  remove(requestId: string): Promise<number>
  removeAll(): Promise<number>
  stored(): Promise<RecordingsStored>
  readonly ownersMaySwitch: boolean
  /** Of this process since it started. */
  counts(): RecordingCounts
  /** Writes what was recorded so far. Runs by itself, callable for tests. */
  flush(): Promise<void>
  /** Deletes what is too old or too much. Runs by itself, callable for tests. */
  trim(): Promise<void>
}

export interface RecordingWindow extends RecordingTerms {
  readonly startedBy: number
  readonly startedName: string
}

export interface RecordingCounts {
  readonly written: number
  /** There was no room for them, or they could not be written. */
  readonly dropped: number
}

export interface RecordingsStored {
  readonly recordings: number
  readonly bytes: bigint
  /** Of the oldest. Absent: there are none. */
  readonly oldest?: Date
}

export interface RecordingFacts {
  readonly userId: number
  readonly createdAt: Date
  readonly level: RecordingLevel
}

export interface StoredRecording extends RecordingFacts {
  readonly client: ClientSide
  readonly upstream: UpstreamSide
}

export interface ClientSide {
  readonly request: KeptRequest
  /** Null: nothing was sent. */
  readonly reply: (KeptReply & { readonly gone: boolean }) | null
}

export interface UpstreamSide {
  readonly calls: readonly KeptCall[]
}

export interface KeptCall {
  /** Which try it belongs to, from 1. */
  readonly attempt: number
  readonly channel: number
  readonly channel_name: string
  readonly key_id: number
  readonly request: KeptRequest
  readonly reply: KeptReply | null
  /** Why no reply came. */
  readonly failed: string
}

export interface KeptRequest {
  readonly method: string
  readonly address: string
  readonly headers: readonly KeptHeader[]
  readonly body: KeptBody
}

export interface KeptReply {
  readonly status: number
  readonly headers: readonly KeptHeader[]
  readonly body: KeptBody
}

export type KeptHeader = readonly [name: string, value: string]

export interface KeptBody {
  /** `none`: there is none, or bodies are not kept. `binary` and `form`: by their size alone. */
  readonly kind: 'none' | 'text' | 'form' | 'binary'
  readonly text: string
  /** Bytes of the whole. */
  readonly bytes: number
  /** What is here is its beginning. */
  readonly cut: boolean
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    recordings: Recordings
  }
}
