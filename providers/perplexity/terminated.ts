/**
 * Some models end their stream without the word that ends a chat stream. Bytes pass as they are; where an answer has
 * stopped and the word has not come, it is added, so that a whole answer is not taken for a broken one.
 */
import type { Transform } from '../../kernel/contract/format.js'

export function terminated(): Transform<Buffer, Buffer> {
  return new Terminated()
}

/** A reason to stop that is there; `null` has no quotation mark. Quotation marks inside texts are escaped. */
const stops = ['"finish_reason":"', '"finish_reason": "'] as const
const longest = 20

const terminator = Buffer.from('data: [DONE]\n\n')

class Terminated implements Transform<Buffer, Buffer> {
  private stopped = false
  /** The end of what has passed, for words that are cut. */
  private tail: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Buffer[] {
    this.stopped ||= isStop(chunk) || isStop(Buffer.concat([this.tail, chunk.subarray(0, longest)]))
    this.tail =
      chunk.length >= longest
        ? chunk.subarray(-longest)
        : Buffer.concat([this.tail, chunk]).subarray(-longest)
    return [chunk]
  }

  flush(): Buffer[] {
    const end = this.tail.toString('latin1').trimEnd()
    if (!this.stopped || end.endsWith('[DONE]')) return []
    // The last event of a stream may lack its blank line.
    return [Buffer.from('\n\n'), terminator]
  }
}

function isStop(bytes: Buffer): boolean {
  return stops.some((word) => bytes.includes(word))
}
