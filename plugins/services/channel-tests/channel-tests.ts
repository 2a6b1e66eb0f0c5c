/** What others see of tests of channels: one tiny request down the line, and what came of it. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'

export interface ChannelTests {
  /** Never rejects: what went wrong is the result. Works on channels and keys that are switched off. */
  run(channel: Channel, options?: TestOptions): Promise<TestResult>
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
