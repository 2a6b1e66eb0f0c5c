/** Reads a body into memory, never more than a bound. */
import type { ByteSource } from '../../contract/bytes.js'
import { EgressError, tooLarge } from '../errors/egress-error.js'
import { Collector } from './collect.js'

/**
 * The whole body. Rejects with an `EgressError` when it breaks off, is larger than `bytesMax` or comes in more pieces than
 * an honest upstream makes of it.
 */
export function readAll(source: ByteSource, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const read = new Collector()
    source.consume({
      data(chunk) {
        read.add(chunk)
        if (read.bytes <= bytesMax && !read.shredded) return true
        source.abort()
        reject(tooLarge())
        read.drop()
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
