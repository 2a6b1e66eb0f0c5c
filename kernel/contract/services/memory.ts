/** Room for what is read beside requests. */
import type { ByteRoom } from '../bytes.js'

/** The bytes a process holds at once, requests and everything else together (decision 0060). */
export interface Memory {
  /** For one reply that is read whole. Holds nothing yet; whoever took it releases it. */
  room(): HeldRoom
}

export interface HeldRoom extends ByteRoom {
  /** Gives everything back for good: whoever reads on gets nothing more. */
  release(): void
}
