/** One direction of a relayed socket. It pauses for any of several reasons and goes on when none is left. */
import type { FrameSocket } from '../contract/bytes.js'

export class SocketFlow {
  /** The other side does not keep up. */
  private slow = false
  /** How often what comes through here is waited for: a hold that is raised, a frame that is still read. */
  private waits = 0

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
    this.waits += 1
    this.from.pause()
  }

  waited(): void {
    this.waits -= 1
    this.goOn()
  }

  private goOn(): void {
    if (!this.slow && this.waits === 0) this.from.resume()
  }
}
