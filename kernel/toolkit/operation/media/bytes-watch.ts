/** Watches bytes that mean nothing to the gateway, such as audio or plain text: they pass as they come. */
import type { Usage } from '../../../contract/event.js'
import type { Failure } from '../../../contract/failure.js'
import type { OperationWatch } from '../../../contract/operation.js'
import { garbled, uncounted } from '../operation-answer.js'

const nothing = Buffer.alloc(0)

export class BytesWatch implements OperationWatch {
  readonly binary = true
  readonly estimatedTokens = 0
  readonly raw = undefined
  started = false
  ended = false
  readonly failure: Failure | undefined

  /** A page in place of an answer is a failure. `mayBeEmpty`: no bytes at all are an answer too. */
  constructor(
    type: string,
    private readonly mayBeEmpty = false,
  ) {
    this.failure = /^(?:text\/html|application\/xhtml)/.test(type) ? garbled() : undefined
  }

  /** Nothing is counted on the way; what was begun is billed as estimated. */
  get usage(): Usage | undefined {
    return this.started || this.ended ? uncounted : undefined
  }

  push(chunk: Buffer): Buffer {
    if (this.failure !== undefined) return nothing
    this.started ||= chunk.length > 0
    return chunk
  }

  flush(): Buffer {
    this.ended = this.failure === undefined && (this.started || this.mayBeEmpty)
    return nothing
  }
}
