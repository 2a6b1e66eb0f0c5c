/** One direction of a relayed socket. It pauses for any of two reasons and goes on when neither is left. */
import type { FrameSocket } from '../contract/bytes.js'

export class SocketFlow {
  /** The other side does not keep up. */
  private slow = false
  /** A hold is being raised for what comes through here. */
  private waiting = false

  constructor(
    private readonly from: FrameSocket,
    private readonly to: FrameSocket,
  ) {}

  forward(bytes: Buffer, binary: boolean): void {
    if (this.to.send(bytes, binary)) return
    this.slow = true
    this.from.pause()
  }

  caughtUp(): void {
    this.slow = false
    this.goOn()
  }

  wait(): void {
    this.waiting = true
    this.from.pause()
  }

  waited(): void {
    this.waiting = false
    this.goOn()
  }

  private goOn(): void {
    if (!this.slow && !this.waiting) this.from.resume()
  }
}
