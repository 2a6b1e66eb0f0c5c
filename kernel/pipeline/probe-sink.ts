/** The client of a probe: takes everything at once, keeps the beginning, and leaves when its time is up. */
import type { RequestId } from '../contract/names.js'
import type { Sink } from '../contract/sink.js'
import { pipelineLimits } from './limits.js'

export class ProbeSink implements Sink {
  started = false
  gone = false
  private kept = 0
  private readonly pieces: Buffer[] = []
  private goneListener: (() => void) | undefined

  constructor(
    readonly requestId: RequestId,
    /** With the first bytes. */
    private readonly leavesEarly = false,
  ) {}

  /** What a client would have read, up to the bound. */
  get headText(): string {
    return Buffer.concat(this.pieces).toString('utf8')
  }

  /** Nobody waits for the rest. */
  leave(): void {
    this.gone = true
    this.goneListener?.()
  }

  onGone(listener: () => void): void {
    this.goneListener = listener
    if (this.gone) listener()
  }

  head(): void {
    this.started = true
  }

  write(chunk: Buffer): boolean {
    if (this.kept < pipelineLimits.probeHeadBytesMax) {
      const piece = Buffer.from(chunk.subarray(0, pipelineLimits.probeHeadBytesMax - this.kept))
      this.pieces.push(piece)
      this.kept += piece.length
    }
    if (this.leavesEarly && !this.gone) this.leave()
    return true
  }

  send(_status: number, _headers: Readonly<Record<string, string>>, body: Buffer | string): void {
    this.started = true
    this.write(Buffer.from(body))
  }

  onDrain(): void {}
  end(): void {}
  destroy(): void {}
  note(): void {}
}
