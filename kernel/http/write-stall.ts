/**
 * Notices a client that takes nothing at all while bytes wait for it (S7). A slow client that keeps taking
 * is left alone, however long its answer lasts.
 */
import type { Socket } from 'node:net'
import { isObject } from '../contract/json.js'
import type { Clock } from '../contract/kit.js'

export class WriteStall {
  private cancel: (() => void) | undefined
  private taken = 0

  constructor(
    private readonly clock: Clock,
    private readonly stallMs: number,
    private readonly stalled: () => void,
  ) {}

  /** Bytes wait for the client; watches until `stop` or until nothing waits. */
  watch(socket: Socket): void {
    if (this.cancel !== undefined) return
    this.taken = bytesTaken(socket)
    this.cancel = this.clock.after(this.stallMs, () => {
      this.cancel = undefined
      if (socket.writableLength === 0) return
      if (bytesTaken(socket) === this.taken) this.stalled()
      else this.watch(socket)
    })
  }

  stop(): void {
    this.cancel?.()
    this.cancel = undefined
  }
}

/**
 * Bytes the network took. The stream counts a write as one piece until all of it is gone, so a big answer would look
 * like a standstill; the handle's own queue, which node's socket timeout reads too, shrinks with every packet.
 */
function bytesTaken(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (!isObject(handle)) return socket.bytesWritten - socket.writableLength
  return Number(handle.bytesWritten ?? 0) - Number(handle.writeQueueSize ?? 0)
}
