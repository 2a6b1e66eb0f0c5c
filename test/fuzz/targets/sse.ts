/** Server-sent events: any cutting of the bytes gives the same frames, and no byte is lost on the way. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { FrameGate, SseFramer } from '../../../kernel/toolkit/format/index.js'
import { streams } from '../corpus.js'
import { type Bytes, bufferOf, cuts, mutatedBytes, piecesOf } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly bytes: Bytes
  readonly cuts: readonly number[]
}

const corpus = [
  'data: a\r\n\r\ndata: b\r\r\ndata: c\n\n',
  'event: x\ndata: 1\ndata: 2\n\n: comment\n\ndata\n\n',
  ...streams.map(({ content }) => content),
]
const tokens = [
  '\r',
  '\r\r',
  '\r\n\r\n',
  '\n\n',
  'data: ',
  'data:',
  'event: ',
  ':',
  '\ufeff',
  'id: 1',
]

export const sse: Target<Input> = {
  name: 'sse',
  inputs: fc.record({ bytes: mutatedBytes(corpus, tokens), cuts }),
  check({ bytes, cuts }) {
    const buffer = bufferOf(bytes)
    const pieces = piecesOf(buffer, cuts)
    assert.deepEqual(results(pieces), results([buffer]), 'the events')
    assert.ok(Buffer.concat(frames(pieces).map((frame) => frame.bytes)).equals(buffer), 'the bytes')
    assert.ok(gated(pieces).equals(gated([buffer])), 'what passes the gate')
  },
}

function frames(pieces: readonly Buffer[]) {
  const framer = new SseFramer()
  return [...pieces.flatMap((piece) => framer.push(piece)), ...framer.flush()]
}

/** Comments may be distinguished or together; events may not. */
function results(pieces: readonly Buffer[]) {
  return frames(pieces)
    .filter(({ comment, cut }) => !comment && !cut)
    .map(({ event, data }) => [event, data])
}

function gated(pieces: readonly Buffer[]): Buffer {
  const keeper = {
    over: false,
    whole: (bytes: Buffer, from: number, end: number) =>
      !bytes.subarray(from, end).includes('event'),
    passesInPieces: () => false,
    piece: () => true,
    piecesEnd() {},
    tooLarge() {},
  }
  const gate = new FrameGate(keeper)
  return Buffer.concat([...pieces.map((piece) => Buffer.from(gate.push(piece))), gate.rest()])
}
