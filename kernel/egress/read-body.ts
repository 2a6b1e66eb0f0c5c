/** Reads a body into memory, never more than a bound. */
import type { ByteSource } from '../contract/exchange.js'
import { EgressError, tooLarge } from './egress-error.js'

/** The whole body. Rejects with an `EgressError` when it breaks off or is larger than `bytesMax`. */
export function readAll(source: ByteSource, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const read = collector()
    source.consume({
      data(chunk) {
        read.add(chunk)
        if (read.bytes <= bytesMax) return true
        source.abort()
        reject(tooLarge())
        return false
      },
      end: () => resolve(read.all()),
      fail: (failure) => reject(new EgressError(failure)),
    })
  })
}

/** At most the first `bytesMax` bytes; what follows is dropped with its connection. A broken body gives what came. */
export function readHead(source: ByteSource, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const read = collector()
    source.consume({
      data(chunk) {
        read.add(chunk)
        if (read.bytes < bytesMax) return true
        source.abort()
        resolve(read.all().subarray(0, bytesMax))
        return false
      },
      end: () => resolve(read.all()),
      fail: () => resolve(read.all()),
    })
  })
}

function collector() {
  const chunks: Buffer[] = []
  return {
    bytes: 0,
    add(chunk: Buffer) {
      chunks.push(chunk)
      this.bytes += chunk.length
    },
    all: () => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
  }
}
