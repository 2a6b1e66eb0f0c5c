/** The playing time of a recording by its container, and by its size where the container is silent. */
import t from 'tap'
import { audioSeconds } from '../../../../kernel/toolkit/operation/audio-length.js'
import { uint32, wav } from '../../../plugins/operations/media/samples.js'

const near = (seconds: number) => (found: number) => Math.abs(found - seconds) < 0.01

t.test('a WAV is as long as its sound, whatever its header claims', async (t) => {
  t.equal(audioSeconds(wav(2.5)), 2.5)
  t.equal(audioSeconds(wav(2.5, 8000, 0)), 2.5, 'written while it ran')
  t.equal(audioSeconds(wav(2.5, 8000, 0xffffffff)), 2.5, 'of unknown length')
  const padded = wav(1)
  const odd = Buffer.concat([
    padded.subarray(0, 36),
    Buffer.from('LIST\x03\0\0\0abc\0', 'latin1'),
    padded.subarray(36),
  ])
  t.equal(audioSeconds(odd), 1, 'behind a chunk of odd length')
})

t.test('an MP3 is read by its frames', async (t) => {
  // Version 1, layer III, 128 kbit/s, 44,100 Hz: 417 bytes a frame, 1152 samples.
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0xc0])
  const plain = Buffer.concat(Array.from({ length: 100 }, () => frame))
  t.ok(near((100 * 417 * 8) / 128_000)(audioSeconds(plain)), 'by bitrate')
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\x00', 'latin1'), Buffer.alloc(128)])
  t.ok(near((100 * 417 * 8) / 128_000)(audioSeconds(Buffer.concat([tag, plain]))), 'behind a tag')
  const first = Buffer.from(frame)
  first.write('Xing', 4 + 17, 'latin1')
  first.set(uint32(1), 4 + 17 + 4)
  first.set(uint32(5000), 4 + 17 + 8)
  const variable = Buffer.concat([first, plain])
  t.ok(near((5000 * 1152) / 44_100)(audioSeconds(variable)), 'by the number of frames it tells')
  const lower = Buffer.alloc(144)
  // Version 2, 32 kbit/s at 16,000 Hz: 576 samples.
  lower.set([0xff, 0xf3, 0x48, 0xc0])
  const speech = Buffer.concat(Array.from({ length: 50 }, () => lower))
  t.ok(near((50 * 144 * 8) / 32_000)(audioSeconds(speech)), 'of the lower sampling rates')
})

t.test('MP4 tells it in its movie header, fragmented or long', async (t) => {
  const header = (version: number, scale: number, duration: number) =>
    version === 0
      ? box('mvhd', Buffer.alloc(12), uint32(scale), uint32(duration), Buffer.alloc(80))
      : box(
          'mvhd',
          Buffer.from([1]),
          Buffer.alloc(19),
          uint32(scale),
          uint32(0),
          uint32(duration),
          Buffer.alloc(80),
        )
  const file = (...movie: Buffer[]) =>
    Buffer.concat([
      box('ftyp', Buffer.from('M4A \0\0\0\0', 'latin1')),
      box('mdat', Buffer.alloc(100_000)),
      box('moov', ...movie),
    ])
  t.equal(audioSeconds(file(header(0, 1000, 61_500))), 61.5)
  t.equal(audioSeconds(file(header(1, 44_100, 441_000))), 10)
  const fragments = box('mvex', box('mehd', uint32(0), uint32(7000)))
  t.equal(audioSeconds(file(header(0, 1000, 0), fragments)), 7)
  t.equal(
    audioSeconds(file(header(0, 1000, 0))),
    file(header(0, 1000, 0)).length / 8000,
    'else by size',
  )
})

t.test('Ogg tells it by the position of its last page', async (t) => {
  const opus = Buffer.alloc(64)
  opus.write('OpusHead', 0, 'latin1')
  const vorbis = Buffer.alloc(64)
  vorbis.write('\x01vorbis', 0, 'latin1')
  vorbis.writeUInt32LE(22_050, 12)
  const end = Buffer.alloc(0)
  const ogg = (packet: Buffer, last: bigint) =>
    Buffer.concat([page(0n, packet), page(100n, Buffer.alloc(30_000)), page(last, end)])
  t.equal(audioSeconds(ogg(opus, 96_000n)), 2)
  t.equal(audioSeconds(ogg(vorbis, 66_150n)), 3)
  const unfinished = Buffer.concat([ogg(opus, 480_000n), page(0xffff_ffff_ffff_ffffn, end)])
  t.equal(audioSeconds(unfinished), 10, 'the last page on which a packet ends')
})

t.test('FLAC tells samples and rate', async (t) => {
  const info = Buffer.alloc(34)
  info.writeUIntBE((16_000 << 4) | 1, 10, 3)
  info.writeUInt32BE(48_000, 14)
  const head = Buffer.from('fLaC\x80\0\0\x22', 'latin1')
  t.equal(audioSeconds(Buffer.concat([head, info, Buffer.alloc(9000)])), 3)
})

t.test('WebM tells a duration, or the time of its last cluster', async (t) => {
  const double = Buffer.alloc(8)
  double.writeDoubleBE(4500)
  const scale = element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]))
  const result = element('1549a966', scale, element('4489', double))
  const head = element('1a45dfa3', Buffer.alloc(12))
  t.equal(audioSeconds(Buffer.concat([head, result, Buffer.alloc(9000)])), 4.5)
  const cluster = (ms: number) =>
    element('1f43b675', element('e7', uint32(ms)), Buffer.alloc(4000, 1))
  const live = Buffer.concat([head, element('1549a966', scale), cluster(0), cluster(2750)])
  t.equal(audioSeconds(live), 2.75)
})

t.test('what cannot be read counts by its size', async (t) => {
  t.equal(audioSeconds(Buffer.alloc(0)), 0)
  t.equal(audioSeconds(Buffer.alloc(8000)), 1)
  t.equal(audioSeconds(Buffer.alloc(80_000, 'x')), 10)
})

t.test('a header is believed only as far as the size of the file allows', async (t) => {
  const hasty = wav(100)
  hasty.writeUInt32LE(0xffffffff, 28)
  t.equal(audioSeconds(hasty), hasty.length / 4_000_000, 'no hour in a second')
  const slow = wav(0.1)
  slow.writeUInt32LE(1, 28)
  t.equal(audioSeconds(slow), slow.length / 25, 'no day in a kilobyte')
})

t.test('every beginning of a recording is measured without an error', async (t) => {
  const whole = [
    wav(0.01),
    Buffer.concat([box('ftyp', Buffer.alloc(8)), box('moov', box('mvhd', Buffer.alloc(100)))]),
    Buffer.concat([page(0n, Buffer.from('OpusHead'.padEnd(64, '\0'))), page(1n, Buffer.alloc(9))]),
    Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(40, 1)]),
    Buffer.concat([element('1a45dfa3', Buffer.alloc(4)), element('1549a966', Buffer.alloc(40))]),
    Buffer.alloc(600, Buffer.from([0xff, 0xfb, 0x90, 0xc0])),
    Buffer.from(`ID3${'\x7f'.repeat(40)}`),
  ]
  for (const bytes of whole) {
    for (let length = 0; length <= bytes.length; length += 1) {
      const seconds = audioSeconds(bytes.subarray(0, length))
      if (!Number.isFinite(seconds) || seconds < 0) t.fail(`${length} bytes made ${seconds}`)
    }
  }
})

function box(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name), body])
}

/** One packet per page, in as many segments as it needs. */
function page(granule: bigint, packet: Buffer): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS', 0, 'latin1')
  head.writeBigUInt64LE(granule, 6)
  const segments = Math.min(Math.ceil(packet.length / 255), 255)
  head[26] = segments
  return Buffer.concat([head, Buffer.alloc(segments, 255), packet])
}

function element(id: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.from([0x40 | (body.length >> 8), body.length & 255])
  const short = body.length < 127
  return Buffer.concat([
    Buffer.from(id, 'hex'),
    short ? Buffer.from([0x80 | body.length]) : size,
    body,
  ])
}
