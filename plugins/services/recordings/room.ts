/** The memory that recordings may take in a process: what finds no room is left out, and no request waits for it. */
import { heldBytesMax, heldMax } from './bounds.js'

export class Room {
  private bytes = 0
  private recordings = 0

  /** @param bytes what it takes at least */
  enter(bytes: number): boolean {
    if (this.recordings >= heldMax || !this.take(bytes)) return false
    this.recordings += 1
    return true
  }

  take(bytes: number): boolean {
    if (this.bytes + bytes > heldBytesMax) return false
    this.bytes += bytes
    return true
  }

  /** The recording is over, with all that it took. */
  leave(bytes: number): void {
    this.recordings -= 1
    this.bytes -= bytes
  }
}
