/** Pictures are recognised by what they are made of, and nothing else passes for one. */
import t from 'tap'
import { imageKind, withTrueTypes } from '../../../../kernel/toolkit/operation/image-kind.js'
import {
  gif,
  html,
  jpeg,
  png,
  pngChunk,
  pngSignature,
  segment,
  webps,
} from '../../../plugins/operations/media/samples.js'

t.test('[FMT-11] JPEG, PNG and WebP are recognised by content, with their size', async (t) => {
  t.same(imageKind(png(640, 480)), { mime: 'image/png', width: 640, height: 480 })
  t.same(imageKind(jpeg(640, 480)), { mime: 'image/jpeg', width: 640, height: 480 })
  for (const [name, bytes] of Object.entries(webps)) {
    t.same(imageKind(bytes), { mime: 'image/webp', width: 1, height: 1 }, name)
  }
})

t.test('what a picture may carry beside its pixels does no harm', async (t) => {
  const whole = png()
  const commented = Buffer.concat([
    whole.subarray(0, 33),
    pngChunk('tEXt', Buffer.from('Comment\0hello')),
    whole.subarray(33),
  ])
  t.match(imageKind(commented), { mime: 'image/png' })
  t.match(imageKind(Buffer.concat([whole, html])), { mime: 'image/png' }, 'bytes behind the end')
  const photo = jpeg()
  const exif = Buffer.concat([
    photo.subarray(0, 2),
    segment(0xe1, Buffer.alloc(60_000)),
    Buffer.from([0xff, 0xff]),
    photo.subarray(2),
  ])
  t.match(imageKind(exif), { mime: 'image/jpeg' }, 'a large segment and fill bytes')
})

const disguises: Readonly<Record<string, Buffer>> = {
  'no bytes': Buffer.alloc(0),
  'a GIF': gif,
  'a page': html,
  'a page behind the signature of a PNG': Buffer.concat([pngSignature, html]),
  'a page behind the header of a PNG': Buffer.concat([png().subarray(0, 33), html]),
  'a PNG without image data': Buffer.concat([
    png().subarray(0, 33),
    pngChunk('IEND', Buffer.alloc(0)),
  ]),
  'a PNG that is cut': png(50, 50).subarray(0, -12),
  'a PNG whose header is damaged': damaged(png(), 17),
  'a PNG of no width': withSides(0, 3),
  'a PNG of absurd width': withSides(4_000_000_000, 3),
  'a page behind the first bytes of a JPEG': Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    html,
  ]),
  'a JPEG without a frame': Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.alloc(14)),
    segment(0xda, Buffer.alloc(6)),
    Buffer.from([1, 2]),
  ]),
  'a JPEG that ends before its scan': jpeg().subarray(0, 60),
  'a JPEG of no height': jpeg(2, 0),
  'a page in a RIFF container': Buffer.concat([
    Buffer.from('RIFF\x40\0\0\0WEBPVP8 ', 'latin1'),
    html,
    html,
  ]),
  'a WAV': Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(40)]),
  'a WebP shorter than it claims': webps.lossy!.subarray(0, -8),
  'a WebP header without a picture': webps.extended!.subarray(0, 30),
}

t.test('[FMT-11] empty, broken and disguised files are none', async (t) => {
  for (const [name, bytes] of Object.entries(disguises)) t.equal(imageKind(bytes), undefined, name)
})

t.test('every beginning of a picture is judged without an error', async (t) => {
  for (const bytes of [png(), jpeg(), ...Object.values(webps)]) {
    for (let length = 0; length < bytes.length; length += 1) {
      t.doesNotThrow(() => imageKind(bytes.subarray(0, length)))
    }
  }
})

t.test('a file without end is judged in little time', async (t) => {
  const links = Buffer.alloc(24 * 1024 * 1024)
  png().copy(links, 0, 0, 33)
  for (let at = 33; at + 12 < links.length; at += 12) links.write('teXt', at + 4, 'latin1')
  const before = process.hrtime.bigint()
  t.equal(imageKind(links), undefined)
  t.ok(process.hrtime.bigint() - before < 1_000_000_000n)
})

t.test('a picture goes on under its true type and a name that fits it', async (t) => {
  const file = (filename: string, mime: string, bytes: Buffer) => ({
    field: 'image',
    filename,
    mime,
    bytes,
  })
  const cases: readonly [string, Buffer, string, string][] = [
    ['cat.gif', png(), 'cat.png', 'image/png'],
    ['cat.PNG', png(), 'cat.PNG', 'image/png'],
    ['cat.jpeg', jpeg(), 'cat.jpeg', 'image/jpeg'],
    ['cat.png', jpeg(), 'cat.jpg', 'image/jpeg'],
    ['猫', webps.lossy!, '猫.webp', 'image/webp'],
    ['', png(), 'image.png', 'image/png'],
    ['my.holiday photo', png(), 'my.holiday photo.png', 'image/png'],
  ]
  for (const [filename, bytes, named, mime] of cases) {
    const form = {
      kind: 'form' as const,
      fields: {},
      files: [file(filename, 'application/octet-stream', bytes)],
    }
    t.match(withTrueTypes(form).files[0], { filename: named, mime, bytes }, filename)
  }
  const unknown = { kind: 'form' as const, fields: {}, files: [file('a.png', 'image/png', gif)] }
  t.same(withTrueTypes(unknown), unknown, 'what is no picture stays as it is, to be refused later')
})

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

/** With a header that is sound but for its size. */
function withSides(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([pngSignature, pngChunk('IHDR', header), png().subarray(33)])
}
