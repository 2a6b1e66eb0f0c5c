/**
 * How long a recording plays, read from the header of its container and never by decoding: for holds, and for charges
 * where an upstream counts nothing. What a header claims is believed only as far as the size of the file allows.
 */
import {
  flacSeconds,
  mp3Seconds,
  mp4Seconds,
  oggSeconds,
  wavSeconds,
  webmSeconds,
} from './audio-containers.js'

/** Bytes of a second where no header states it: 64 kbit/s, usual for compressed speech. */
const usualBytesPerSecond = 8_000
/** Video of high quality, or sound that is not compressed at all. */
const bytesPerSecondMax = 4_000_000
/** Silence in the tersest codecs. */
const bytesPerSecondMin = 25

/** Seconds, with their fraction; 0 for no bytes. */
export function audioSeconds(bytes: Buffer): number {
  const reported = declaredSeconds(bytes)
  if (reported === undefined || !Number.isFinite(reported) || reported <= 0) {
    return bytes.length / usualBytesPerSecond
  }
  const least = bytes.length / bytesPerSecondMax
  return Math.min(Math.max(reported, least), bytes.length / bytesPerSecondMin)
}

function declaredSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < 16) return undefined
  const head = bytes.toString('latin1', 0, 4)
  if (head === 'RIFF' || head === 'RF64') return wavSeconds(bytes)
  if (head === 'OggS') return oggSeconds(bytes)
  if (head === 'fLaC') return flacSeconds(bytes)
  if (head === '\x1aE\xdf\xa3') return webmSeconds(bytes)
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return mp4Seconds(bytes)
  return mp3Seconds(bytes)
}
