/** Pieces put together to parts of one size, as S3 takes them; the last one may be smaller. */

/** At least 5 MiB by the protocol, which knows at most 10,000 parts. */
const partBytes = 8 * 1024 * 1024

export async function* partsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part: Buffer | undefined
  let filled = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      part ??= Buffer.allocUnsafe(partBytes)
      const copied = piece.copy(part, filled, at)
      at += copied
      filled += copied
      if (filled < partBytes) continue
      yield part
      part = undefined
      filled = 0
    }
  }
  if (part !== undefined) yield part.subarray(0, filled)
}
