/** Pictures, clips and sounds a client sends along: an address, or a data URL that is checked before it is decoded (API-8). */
import type { Json } from '../../contract/json.js'
import { invalidField } from '../operation/checks.js'

export type MediaKind = 'image' | 'video' | 'audio'

/** Types taken in a data URL. Of video by API-8. */
const typesOf: Readonly<Record<MediaKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'],
  video: ['video/mp4', 'video/webm', 'video/quicktime', 'video/x-matroska'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/x-wav', 'audio/mp4', 'audio/ogg', 'audio/flac'],
}

/** Decoded bytes of one data URL. Of video by API-8. */
const bytesMax: Readonly<Record<MediaKind, number>> = {
  image: 30 * 1024 * 1024,
  video: 100 * 1024 * 1024,
  audio: 30 * 1024 * 1024,
}

export interface DataUrl {
  /** Lower case, without parameters. */
  readonly mime: string
  readonly base64: string
  /** Length once it is decoded. */
  readonly bytes: number
}

/** Undefined: no data URL with base64. Decodes nothing. */
export function dataUrl(text: string): DataUrl | undefined {
  if (!text.startsWith('data:')) return undefined
  const comma = text.indexOf(',')
  if (comma < 0 || comma > 256) return undefined
  const [mime = '', ...parameters] = text.slice('data:'.length, comma).toLowerCase().split(';')
  if (parameters.at(-1)?.trim() !== 'base64') return undefined
  const base64 = text.slice(comma + 1)
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return { mime: mime.trim(), base64, bytes: Math.floor((base64.length * 3) / 4) - padding }
}

/** The kind of medium a type of data URL is taken for. Undefined: none. */
export function mediaKindOf(mime: string): MediaKind | undefined {
  return (Object.keys(typesOf) as MediaKind[]).find((kind) => typesOf[kind].includes(mime))
}

/** What a data URL must be and is not, as the end of a sentence that begins with its field. Undefined: it is taken. */
export function mediaFault({ mime, bytes }: DataUrl, kind: MediaKind): string | undefined {
  const types = typesOf[kind]
  if (!types.includes(mime)) return `must be of the type ${types.join(', ')}`
  if (bytes > bytesMax[kind]) return `must be at most ${bytesMax[kind] / 1024 / 1024} MiB`
  return undefined
}

/** The text of a field that names a medium: an http(s) address or a data URL. Throws a `Refusal` that names the field. */
export function mediaSource(value: Json, field: string, kind: MediaKind): string {
  if (typeof value !== 'string' || value === '') throw invalidField(field, 'must be a string')
  if (/^https?:\/\//i.test(value)) {
    if (value.length > addressCharactersMax || !URL.canParse(value)) {
      throw invalidField(field, 'must be an address of at most 8192 characters')
    }
    return value
  }
  const data = dataUrl(value)
  if (data === undefined) {
    throw invalidField(field, 'must be an http or https address, or a data URL with base64')
  }
  const fault = mediaFault(data, kind)
  if (fault !== undefined) throw invalidField(field, fault)
  if (!isBase64(data.base64)) throw invalidField(field, 'must be base64 behind the comma')
  return value
}

const addressCharactersMax = 8192

/** In pieces, since one pattern over 130 million characters stalls everybody else. */
function isBase64(text: string): boolean {
  if (text.length === 0 || text.length % 4 === 1) return false
  const body = text.replace(/={1,2}$/, '')
  for (let at = 0; at < body.length; at += 65_536) {
    if (!/^[A-Za-z0-9+/_-]*$/.test(body.slice(at, at + 65_536))) return false
  }
  return true
}
