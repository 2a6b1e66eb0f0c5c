/** Event streams of AWS: any cutting gives the same frames, nothing throws, and nothing is read behind what is broken. */
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { EventFrames } from '../../../providers/bedrock/frames.js'
import { awsStreams } from '../corpus.js'
import { type Bytes, bufferOf, cuts, mutatedBytes, piecesOf } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly bytes: Bytes
  readonly cuts: readonly number[]
  /** Whether the checksums are made right again, so that the change is looked at. */
  readonly summed: boolean
}

export const eventStream: Target<Input> = {
  name: 'event-stream',
  inputs: fc.record({
    bytes: mutatedBytes(awsStreams, [':event-type']),
    cuts,
    summed: fc.boolean(),
  }),
  check({ bytes, cuts, summed }) {
    const buffer = bufferOf(bytes)
    const stream = summed ? withSums(buffer) : buffer
    assert.deepEqual(framed(piecesOf(stream, cuts)), framed([stream]), 'the frames')
  },
}

function framed(pieces: readonly Buffer[]) {
  const frames = new EventFrames()
  const found = pieces.flatMap((piece) => frames.push(piece))
  for (const { payload } of found) assert.ok(payload.length <= 24 * 1024 * 1024)
  return { broken: frames.broken, found }
}

export function withSums(stream: Buffer): Buffer {
  const bytes = Buffer.from(stream)
  for (let at = 0; at + 16 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    bytes.writeUInt32BE(crc32(bytes.subarray(at, at + 8)), at + 8)
    if (length < 16 || at + length > bytes.length) break
    const end = at + length
    bytes.writeUInt32BE(crc32(bytes.subarray(at, end - 4)), end - 4)
    at = end
  }
  return bytes
}
