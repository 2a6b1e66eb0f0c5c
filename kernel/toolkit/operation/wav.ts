/** Samples of 16 bits on one channel in a WAV container. */

const headerBytes = 44
const sampleBytes = 2

/** `rate` in samples a second. */
export function wav(samples: Buffer, rate: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(headerBytes - 8 + samples.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * sampleBytes, 28)
  header.writeUInt16LE(sampleBytes, 32)
  header.writeUInt16LE(sampleBytes * 8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

const chunkHeaderBytes = 8
const firstChunk = 12

export function isWav(file: Buffer): boolean {
  return file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE'
}

/** What stands in the chunk `data`; nothing where there is none. */
export function samplesIn(file: Buffer): Buffer {
  let at = firstChunk
  while (at + chunkHeaderBytes <= file.length) {
    const bytes = file.readUInt32LE(at + 4)
    const start = at + chunkHeaderBytes
    if (file.toString('latin1', at, at + 4) === 'data') return file.subarray(start, start + bytes)
    // A chunk ends at an even place.
    at = start + bytes + (bytes % 2)
  }
  return Buffer.alloc(0)
}
