/**
 * Chunked transfer coding in one buffer per piece (RFC 9112 section 7.1). node writes size, line end, piece and line end
 * as four; for events of some hundred bytes that is more work than the relay itself.
 */
import type { ServerResponse } from 'node:http'
import { httpLimits } from '../limits.js'

/** Behind the last piece. */
export const lastChunk = Buffer.from('0\r\n\r\n')

const CR = 0x0d
const LF = 0x0a

/**
 * Takes the framing over from node for a response whose head has just been written. False where there is none: a client
 * of HTTP/1.0 reads until the connection ends.
 */
export function takeFraming(response: ServerResponse): boolean {
  if (!response.chunkedEncoding) return false
  response.chunkedEncoding = false
  return true
}

/** Writes one piece, never an empty one, which would be the end. Answers as `write` does. */
export function writeChunk(response: ServerResponse, piece: Buffer): boolean {
  if (piece.length <= httpLimits.copyBytesMax) return response.write(framed(piece))
  response.write(`${piece.length.toString(16)}\r\n`, 'latin1')
  response.write(piece)
  return response.write('\r\n', 'latin1')
}

function framed(piece: Buffer): Buffer {
  const digits = hexDigits(piece.length)
  const bytes = Buffer.allocUnsafe(digits + 4 + piece.length)
  let rest = piece.length
  for (let at = digits - 1; at >= 0; at--) {
    const digit = rest & 0xf
    bytes[at] = digit < 10 ? 0x30 + digit : 0x57 + digit
    rest >>= 4
  }
  bytes[digits] = CR
  bytes[digits + 1] = LF
  piece.copy(bytes, digits + 2)
  bytes[bytes.length - 2] = CR
  bytes[bytes.length - 1] = LF
  return bytes
}

function hexDigits(length: number): number {
  let digits = 1
  for (let rest = length >> 4; rest > 0; rest >>= 4) digits += 1
  return digits
}
