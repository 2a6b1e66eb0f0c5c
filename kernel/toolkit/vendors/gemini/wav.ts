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
