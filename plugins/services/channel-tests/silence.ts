/** A recording of nothing: what a test of transcription uploads. Services refuse one that is shorter. */
import type { FormFile } from '../../../kernel/contract/body.js'

const sampleRate = 8000
const seconds = 0.5
const headerBytes = 44

/** WAV, mono, 16 bits. */
export function silence(): FormFile {
  const dataBytes = sampleRate * seconds * 2
  const bytes = Buffer.alloc(headerBytes + dataBytes)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(dataBytes, 40)
  return { field: 'file', filename: 'silence.wav', mime: 'audio/wav', bytes }
}
