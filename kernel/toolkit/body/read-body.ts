/** Reads a body into memory, never more than a bound. */
import type { ByteRoom, ByteSource } from '../../contract/bytes.js'
import { EgressError, noRoom, tooLarge } from '../errors/egress-error.js'
import { limits } from '../limits/limits.js'
import { Collector } from './collect.js'

/**
 * The whole body. Rejects with an `EgressError` when it breaks off, is larger than `bytesMax` or comes in more pieces than
 * an honest upstream makes of it. In a room, what goes beyond some KiB is held there, and there has to be room for it.
 */
export function readAll(source: ByteSource, bytesMax: number, room?: ByteRoom): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const most = Math.min(bytesMax, room?.largestBytes ?? bytesMax)
    const { declaredBytes = 0 } = source
    const read = new Collector(declaredBytes <= most ? declaredBytes : 0)
    const roomy = roomFor(room)
    source.consume({
      data(chunk) {
        read.add(chunk)
        const fits = read.bytes <= most && !read.shredded
        if (fits && roomy(read.bytes)) return true
        source.abort()
        reject(fits ? noRoom() : tooLarge())
        read.drop()
        return false
      },
      end: () => resolve(read.all()),
      fail: (failure) => reject(new EgressError(failure)),
    })
  })
}

/** Whether so many bytes may be held by now; what is below `limits.uncountedBytesMax` is not counted. */
export function roomFor(room: ByteRoom | undefined): (bytes: number) => boolean {
  let counted = 0
  return (bytes) => {
    if (room === undefined || bytes <= limits.uncountedBytesMax) return true
    if (bytes <= counted) return true
    if (!room.add(bytes - counted)) return false
    counted = bytes
    return true
  }
}

/** At most the first `bytesMax` bytes; what follows is dropped with its connection. A broken body gives what came. */
export function readHead(source: ByteSource, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const read = new Collector()
    source.consume({
      data(chunk) {
        read.add(chunk)
        if (read.bytes < bytesMax && !read.shredded) return true
        source.abort()
        resolve(read.all().subarray(0, bytesMax))
        return false
      },
      end: () => resolve(read.all()),
      fail: () => resolve(read.all()),
    })
  })
}
