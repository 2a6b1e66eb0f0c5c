/** What the watchers of all formats do alike with a verbatim stream; a format adds how its frames are read. */
import type { Usage } from '../../contract/event.js'
import type { Failure } from '../../contract/failure.js'
import type { StreamWatch } from '../../contract/format.js'
import type { JsonObject } from '../../contract/json.js'
import { tooLarge } from '../errors/upstream-failure.js'
import { FrameGate, type FrameKeeper } from './frame-gate.js'

const nothing: Buffer = Buffer.alloc(0)
const blankLine = Buffer.from('\n\n')

export abstract class FrameWatch implements StreamWatch, FrameKeeper {
  ended = false
  failure: Failure | undefined
  protected readonly gate = new FrameGate(this)

  abstract readonly started: boolean
  abstract readonly usage: Usage | undefined
  abstract readonly raw: JsonObject | undefined
  abstract readonly estimatedTokens: number
  abstract flush(): Buffer
  abstract whole(bytes: Buffer, from: number, end: number): boolean
  abstract passesInPieces(head: Buffer): boolean
  abstract piece(bytes: Buffer, from: number, end: number): boolean
  abstract piecesEnd(): void

  get over(): boolean {
    return this.ended || this.failure !== undefined
  }

  push(chunk: Buffer): Buffer {
    return this.gate.push(chunk)
  }

  tooLarge(): void {
    this.failure = tooLarge()
  }

  /** Forwards a last frame of which only the blank line is missing. */
  protected lastFrame(rest: Buffer): Buffer {
    return this.whole(rest, 0, rest.length) ? Buffer.concat([rest, blankLine]) : nothing
  }
}
