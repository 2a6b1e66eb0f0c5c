/**
 * What a picture is by its content, whatever it is called: JPEG, PNG and WebP by their structure up to the size, not by
 * their first bytes alone, so that nothing else passes for one (FMT-11, X18).
 */
import { crc32 } from 'node:zlib'
import type { FormFile } from '../../contract/body.js'
import type { FormBody } from '../body/form.js'

export interface ImageKind {
  readonly mime: 'image/jpeg' | 'image/png' | 'image/webp'
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** Undefined: none of the three, or a broken one. */
export function imageKind(bytes: Buffer): ImageKind | undefined {
  switch (bytes[0]) {
    case 0x89:
      return png(bytes)
    case 0xff:
      return jpeg(bytes)
    case 0x52:
      return webp(bytes)
    default:
      return undefined
  }
}

/** The form with the true type of every picture in it, and file names that end accordingly. */
export function withTrueTypes(form: FormBody): FormBody {
  return { ...form, files: form.files.map(truly) }
}

function truly(file: FormFile): FormFile {
  const kind = imageKind(file.bytes)
  if (kind === undefined) return file
  const { mime } = kind
  return { ...file, mime, filename: fittingName(file.filename, mime) }
}

function fittingName(filename: string, mime: ImageKind['mime']): string {
  const [usual = '', ...others] = extensions[mime]
  const ends = /\.([a-z0-9]{1,5})$/i.exec(filename)
  const extension = ends?.[1]?.toLowerCase() ?? ''
  if (extension === usual || others.includes(extension)) return filename
  const stem = ends === null ? filename : filename.slice(0, ends.index)
  return `${stem === '' ? 'image' : stem}.${usual}`
}

const extensions: Readonly<Record<ImageKind['mime'], readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
}

/** More pieces than any true picture has; each costs a look. */
const piecesMax = 65_536
const sideMax = 65_535

function sized(mime: ImageKind['mime'], width: number, height: number): ImageKind | undefined {
  const sane = width >= 1 && height >= 1 && width <= sideMax && height <= sideMax
  return sane ? { mime, width, height } : undefined
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const pngHeaderEnd = 33
/** Bit depths by colour type (PNG specification, table 11.1). */
const pngDepths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function png(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < pngHeaderEnd || !bytes.subarray(0, 8).equals(pngSignature)) return undefined
  if (bytes.readUInt32BE(8) !== 13 || chunkName(bytes, 12) !== 'IHDR') return undefined
  if (crc32(bytes.subarray(12, 29)) !== bytes.readUInt32BE(29)) return undefined
  const depths = pngDepths[bytes[25]!]
  const plain = bytes[26] === 0 && bytes[27] === 0 && bytes[28]! <= 1
  if (!plain || depths?.includes(bytes[24]!) !== true || !pngIsWhole(bytes)) return undefined
  return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

/** Chunk by chunk to the end: there is image data, and nothing reaches beyond the file. */
function pngIsWhole(bytes: Buffer): boolean {
  let data = false
  let at = pngHeaderEnd
  for (let piece = 0; piece < piecesMax && at + 12 <= bytes.length; piece += 1) {
    const length = bytes.readUInt32BE(at)
    const name = chunkName(bytes, at + 4)
    if (!/^[A-Za-z]{4}$/.test(name) || at + 12 + length > bytes.length) return false
    if (name === 'IEND') return data && length === 0
    data ||= name === 'IDAT' && length > 0
    at += 12 + length
  }
  return false
}

function chunkName(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4)
}

/** Segment by segment to the first scan; the frame header on the way holds the size (ITU T.81, annex B). */
function jpeg(bytes: Buffer): ImageKind | undefined {
  if (bytes[1] !== 0xd8) return undefined
  let kind: ImageKind | undefined
  let at = 2
  for (let piece = 0; piece < piecesMax && at + 4 <= bytes.length; piece += 1) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (!isSegment(marker) || end < at + 4 || end > bytes.length) return undefined
    if (marker === 0xda) return end < bytes.length ? kind : undefined
    if (isFrame(marker)) {
      kind = jpegFrame(bytes.subarray(at + 4, end))
      if (kind === undefined) return undefined
    }
    at = end
  }
  return undefined
}

/** Markers that a length follows. */
function isSegment(marker: number): boolean {
  return marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9)
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function jpegFrame(frame: Buffer): ImageKind | undefined {
  const components = frame[5] ?? 0
  if (components < 1 || components > 4 || frame.length !== 6 + 3 * components) return undefined
  if (![8, 12, 16].includes(frame[0]!)) return undefined
  return sized('image/jpeg', frame.readUInt16BE(3), frame.readUInt16BE(1))
}

/** A RIFF container of the length it states, with a bitstream in it (RFC 9649). */
function webp(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 30 || chunkName(bytes, 0) !== 'RIFF' || chunkName(bytes, 8) !== 'WEBP') {
    return undefined
  }
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length + 1) return undefined
  const first = webpChunk(bytes, 12)
  if (first === undefined) return undefined
  if (first.name !== 'VP8X') return bitstream(first)
  return first.data.length >= 10 && holdsBitstream(bytes, first.next)
    ? sized('image/webp', first.data.readUIntLE(4, 3) + 1, first.data.readUIntLE(7, 3) + 1)
    : undefined
}

interface WebpChunk {
  readonly name: string
  readonly data: Buffer
  readonly next: number
}

function webpChunk(bytes: Buffer, at: number): WebpChunk | undefined {
  if (at + 8 > bytes.length) return undefined
  const from = at + 8
  const end = from + bytes.readUInt32LE(at + 4)
  if (end > bytes.length) return undefined
  return { name: chunkName(bytes, at), data: bytes.subarray(from, end), next: end + (end % 2) }
}

function holdsBitstream(bytes: Buffer, from: number): boolean {
  let chunk = webpChunk(bytes, from)
  for (let piece = 0; piece < piecesMax && chunk !== undefined; piece += 1) {
    if (chunk.name === 'ANMF') return chunk.data.length > 16
    if (chunk.name.startsWith('VP8')) return bitstream(chunk) !== undefined
    chunk = webpChunk(bytes, chunk.next)
  }
  return false
}

function bitstream({ name, data }: WebpChunk): ImageKind | undefined {
  if (name === 'VP8 ') return lossy(data)
  return name === 'VP8L' ? lossless(data) : undefined
}

function lossy(data: Buffer): ImageKind | undefined {
  const keyFrame = data.length > 10 && (data[0]! & 1) === 0
  if (!keyFrame || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return sized('image/webp', data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff)
}

function lossless(data: Buffer): ImageKind | undefined {
  if (data.length <= 5 || data[0] !== 0x2f || data[4]! >> 5 !== 0) return undefined
  const bits = data.readUInt32LE(1)
  return sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}
