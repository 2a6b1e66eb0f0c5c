/** An answer nobody looks into: every byte passes, and its cost is known only once all of it has come. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { OperationWatch } from '../../../kernel/contract/operation.js'

const nothing = Buffer.alloc(0)

export class PassingWatch implements OperationWatch {
  readonly binary: boolean
  readonly failure = undefined
  readonly raw = undefined
  readonly estimatedTokens = 0
  started = false
  ended = false

  constructor(
    type: string,
    private readonly cost: Usage,
  ) {
    this.binary = !type.startsWith('text/event-stream')
  }

  get usage(): Usage | undefined {
    return this.ended ? this.cost : undefined
  }

  push(chunk: Buffer): Buffer {
    this.started ||= chunk.length > 0
    return chunk
  }

  flush(): Buffer {
    this.ended = true
    return nothing
  }
}
