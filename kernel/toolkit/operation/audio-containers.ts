/**
 * Playing times by container: the few header fields that hold them. Each function returns seconds, or nothing where the
 * header is cut, broken or silent about it, as in recordings that were written while they ran.
 */

/** RIFF WAVE: bytes of sound over bytes per second. A length of 0 or beyond the file means up to its end. */
export function wavSeconds(bytes: Buffer): number | undefined {
  let bytesPerSecond = 0
  let at = 12
  for (let chunk = 0; chunk < chunksMax && at + 8 <= bytes.length; chunk += 1) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const from = at + 8
    if (name === 'fmt ' && from + 12 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(from + 8)
    if (name === 'data') {
      const there = bytes.length - from
      return (length === 0 || length > there ? there : length) / bytesPerSecond
    }
    at = from + length + (length % 2)
  }
  return undefined
}

const chunksMax = 4096

/** FLAC: samples over rate, from STREAMINFO. */
export function flacSeconds(bytes: Buffer): number | undefined {
  return bytes.length < 26 ? undefined : streamInfoSeconds(bytes, 8)
}

function streamInfoSeconds(bytes: Buffer, at: number): number | undefined {
  const rate = bytes.readUIntBE(at + 10, 3) >>> 4
  const samples = (bytes[at + 13]! & 0x0f) * 2 ** 32 + bytes.readUInt32BE(at + 14)
  return samples === 0 ? undefined : samples / rate
}

const oggPage = Buffer.from('OggS')
const noGranule = 0xffff_ffff_ffff_ffffn

/** Ogg: position of the last page over the rate its first packet names. Opus always counts in 48 kHz (RFC 7845). */
export function oggSeconds(bytes: Buffer): number | undefined {
  const rate = oggRate(bytes)
  if (rate === undefined) return undefined
  let page = bytes.lastIndexOf(oggPage)
  for (let back = 0; back < 16 && page > 0; back += 1) {
    const granule = page + 14 <= bytes.length ? bytes.readBigUInt64LE(page + 6) : noGranule
    if (granule !== noGranule) return Number(granule) / rate
    page = bytes.lastIndexOf(oggPage, page - 1)
  }
  return undefined
}

function oggRate(bytes: Buffer): number | undefined {
  const packet = 27 + (bytes[26] ?? 0)
  if (packet + 64 > bytes.length) return undefined
  const name = bytes.toString('latin1', packet, packet + 8)
  if (name === 'OpusHead') return 48_000
  if (name.startsWith('\x01vorbis')) return bytes.readUInt32LE(packet + 12)
  if (name === 'Speex   ') return bytes.readUInt32LE(packet + 36)
  if (name.startsWith('\x7fFLAC')) return bytes.readUIntBE(packet + 27, 3) >>> 4
  return undefined
}

/** MP4, M4A, MOV: duration over timescale of the movie header; a fragmented file holds it elsewhere or not at all. */
export function mp4Seconds(bytes: Buffer): number | undefined {
  const movie = boxIn(bytes, 'moov')
  const header = movie && boxIn(movie, 'mvhd')
  if (movie === undefined || header === undefined || header.length < 32) return undefined
  const long = header[0] === 1
  const timescale = header.readUInt32BE(long ? 20 : 12)
  const duration = long ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return (duration || fragmentsDuration(movie)) / timescale
}

function fragmentsDuration(movie: Buffer): number {
  const fragments = boxIn(movie, 'mvex')
  const header = fragments && boxIn(fragments, 'mehd')
  if (header === undefined || header.length < 8) return 0
  const long = header[0] === 1 && header.length >= 12
  return long ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4)
}

/** The content of the first box of a name. */
function boxIn(bytes: Buffer, name: string): Buffer | undefined {
  let at = 0
  for (let box = 0; box < chunksMax && at + 8 <= bytes.length; box += 1) {
    const long = bytes.readUInt32BE(at) === 1 && at + 16 <= bytes.length
    const reported = long ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at)
    const size = reported === 0 ? bytes.length - at : reported
    const from = at + (long ? 16 : 8)
    if (at + size < from) return undefined
    if (bytes.toString('latin1', at + 4, at + 8) === name) return bytes.subarray(from, at + size)
    at += size
  }
  return undefined
}

const webmInfo = Buffer.from([0x15, 0x49, 0xa9, 0x66])
const webmScale = Buffer.from([0x2a, 0xd7, 0xb1])
const webmDuration = Buffer.from([0x44, 0x89])
const webmCluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
const webmTimecode = 0xe7

/** WebM: the duration of its info, else the time of its last cluster. Both count in units of the timecode scale. */
export function webmSeconds(bytes: Buffer): number | undefined {
  const found = bytes.subarray(0, 64 * 1024).indexOf(webmInfo)
  if (found === -1) return undefined
  const info = bytes.subarray(found, found + 512)
  const scale = unsigned(info, info.indexOf(webmScale), webmScale.length) ?? 1_000_000
  const units = duration(info) ?? lastCluster(bytes)
  return units === undefined ? undefined : (units * scale) / 1e9
}

function duration(info: Buffer): number | undefined {
  const at = info.indexOf(webmDuration)
  if (at === -1 || at + 11 > info.length) return undefined
  const from = at + webmDuration.length + 1
  const size = info[from - 1]! & 0x7f
  if (size === 4) return info.readFloatBE(from)
  return size === 8 ? info.readDoubleBE(from) : undefined
}

/** The first element of a cluster is its time; its own size, of up to 8 bytes, stands in between. */
function lastCluster(bytes: Buffer): number | undefined {
  const at = bytes.lastIndexOf(webmCluster)
  if (at === -1) return undefined
  const behindSize = at + webmCluster.length + Math.clz32(bytes[at + webmCluster.length]!) - 23
  return bytes[behindSize] === webmTimecode ? unsigned(bytes, behindSize, 1) : undefined
}

/** The whole number of an element whose id is `idLength` bytes long; at most 6 bytes of it. */
function unsigned(bytes: Buffer, at: number, idLength: number): number | undefined {
  if (at === -1) return undefined
  const size = (bytes[at + idLength] ?? 0) & 0x7f
  const from = at + idLength + 1
  return size >= 1 && size <= 6 && from + size <= bytes.length
    ? bytes.readUIntBE(from, size)
    : undefined
}

/** kbit/s by the index in a frame header: layer III of version 1, and of versions 2 and 2.5. */
const bitrates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
const bitrates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
const rates1 = [44_100, 48_000, 32_000, 0]

interface Mp3Frame {
  readonly bytes: number
  readonly bitsPerSecond: number
  readonly seconds: number
  /** Where a Xing or Info header would stand, from the frame's beginning. */
  readonly tagAt: number
}

/** MP3: the number of frames where the first one holds it, else the size over the first frame's bitrate. */
export function mp3Seconds(bytes: Buffer): number | undefined {
  const from = behindId3(bytes)
  for (let at = from; at < from + 8192 && at + 4 <= bytes.length; at += 1) {
    const frame = frameAt(bytes, at)
    // One sync word proves nothing; the next frame stands where the first one ends.
    if (frame === undefined || !followed(bytes, at + frame.bytes)) continue
    const frames = declaredFrames(bytes, at, frame)
    if (frames !== undefined) return frames * frame.seconds
    return ((bytes.length - at) * 8) / frame.bitsPerSecond
  }
  return undefined
}

function behindId3(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes[at]! & 0x7f), 0)
  return 10 + size
}

function followed(bytes: Buffer, at: number): boolean {
  return at >= bytes.length || frameAt(bytes, at) !== undefined
}

function frameAt(bytes: Buffer, at: number): Mp3Frame | undefined {
  if (at + 4 > bytes.length) return undefined
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const layer = (header >>> 17) & 3
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1) return undefined
  const kbits = (version === 3 ? bitrates1 : bitrates2)[(header >>> 12) & 15]!
  const rate = rates1[(header >>> 10) & 3]! / (version === 3 ? 1 : version === 2 ? 2 : 4)
  if (kbits === 0 || rate === 0) return undefined
  const samples = version === 3 ? 1152 : 576
  const padding = (header >>> 9) & 1
  const mono = ((header >>> 6) & 3) === 3
  return {
    bytes: Math.floor((samples * kbits * 125) / rate) + padding,
    bitsPerSecond: kbits * 1000,
    seconds: samples / rate,
    tagAt: 4 + (version === 3 ? (mono ? 17 : 32) : mono ? 9 : 17),
  }
}

function declaredFrames(bytes: Buffer, at: number, { tagAt }: Mp3Frame): number | undefined {
  const tag = at + tagAt
  const name = bytes.toString('latin1', tag, tag + 4)
  if (name === 'Xing' || name === 'Info') {
    const reported = tag + 12 <= bytes.length && (bytes[tag + 7]! & 1) === 1
    return reported ? bytes.readUInt32BE(tag + 8) : undefined
  }
  const vbri = at + 36
  if (bytes.toString('latin1', vbri, vbri + 4) !== 'VBRI' || vbri + 18 > bytes.length)
    return undefined
  return bytes.readUInt32BE(vbri + 14)
}
