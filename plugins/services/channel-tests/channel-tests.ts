/** What others see of tests of channels: one tiny request down the line, and what came of it. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'

export interface ChannelTests {
  /** Never rejects: what went wrong is the result. Works on channels and keys that are switched off. */
  run(channel: Channel, options?: TestOptions): Promise<TestResult>
  /** Names of the requests of a full test, in their order. */
  readonly requestNames: readonly string[]
  /**
   * Sends the requests of a full test one after the other, as `waybill plugin live` does. Of a channel one runs at a time at this address:
   * throws `conflict` while another does. What is not begun within its time, or after `signal`, is skipped.
   */
  full(channel: Channel, options: FullTestOptions): Promise<readonly RequestResult[]>
}

export interface FullTestOptions extends Pick<TestOptions, 'key' | 'model' | 'testModel'> {
  /** Absent: one of the channel's that makes embeddings, if it has one. */
  readonly embeddingModel?: string
  /** Names of the requests to send. Absent: all. */
  readonly only?: readonly string[]
  /** Names the upstream lists. Rejects with its reason. */
  models(): Promise<readonly string[]>
  readonly signal?: AbortSignal
}

export interface RequestResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  /** What was seen, masked. */
  readonly words: string
}

export interface TestOptions {
  /** Absent: the first enabled key, else the first. */
  readonly key?: ChannelKey
  /** The model to ask. Absent: `testModel`, else one of the channel's. */
  readonly model?: string
  /** The model the channel's row names for tests; empty: none. */
  readonly testModel?: string
  /** A word of `testTypes`. Absent: by what the model can be called for. */
  readonly endpointType?: string
  /** Has a chat answer streamed. */
  readonly stream?: boolean
}

export interface TestResult {
  readonly ok: boolean
  /** Milliseconds until the whole answer was there, and until its first content. */
  readonly ms: number
  readonly firstMs?: number
  /** For the operator: what happened, and the upstream's message, masked. Empty: all is well. */
  readonly message: string
  /** Empty: there was none to ask. */
  readonly model: string
  /** How it was tested: one of `testTypes`. Absent: it was not. */
  readonly endpointType?: string
  readonly failure?: Failure
  readonly usage?: Usage
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'channel-tests': ChannelTests
  }
}
