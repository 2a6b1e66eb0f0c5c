/** The bytes of a source, one piece after the other, as fast as they are taken; within a size and a time. */
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { PutOutcome } from './task-storage.js'

export interface ReadingOptions {
  readonly bytesMax: number
  readonly msMax: number
  readonly clock: Pick<Clock, 'after'>
}

export interface Reading {
  readonly pieces: AsyncIterable<Buffer>
  /** Bytes so far. */
  bytes(): number
  /** Why the pieces ended too early. Undefined: that was not the source's doing. */
  fault(): PutOutcome | undefined
  /** To be called once nobody takes pieces any more. */
  close(): void
}

export function reading(source: ByteSource, { bytesMax, msMax, clock }: ReadingOptions): Reading {
  const waiting: Buffer[] = []
  let bytes = 0
  let isOver = false
  let fault: PutOutcome | undefined
  let wake = () => {}

  function stop(found: PutOutcome): void {
    fault ??= found
    source.abort()
    wake()
  }

  const disarm = clock.after(msMax, () =>
    stop({ kind: 'source', reason: 'Fetching it took too long.' }),
  )

  async function* taken(): AsyncGenerator<Buffer> {
    source.consume({
      data(chunk) {
        bytes += chunk.length
        if (bytes > bytesMax) {
          stop({ kind: 'large', reason: `It is larger than ${bytesMax} bytes.` })
          return false
        }
        waiting.push(chunk)
        wake()
        return false
      },
      end() {
        isOver = true
        wake()
      },
      fail: ({ message }) => stop({ kind: 'source', reason: message }),
    })
    for (;;) {
      if (fault !== undefined) throw new Error(fault.kind)
      const piece = waiting.shift()
      if (piece !== undefined) {
        yield piece
        if (waiting.length === 0 && !isOver) source.resume()
      } else if (isOver) return
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }

  return {
    pieces: taken(),
    bytes: () => bytes,
    fault: () => fault,
    close() {
      disarm()
      source.abort()
    },
  }
}
