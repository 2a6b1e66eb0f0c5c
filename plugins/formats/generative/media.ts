/** Media in both forms of this format: bytes inside the request, and files by address. */
import type { MediaSource, Part } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present, textOf } from './fields.js'
import { isOwn, only } from './leftovers.js'
import { camel } from './names.js'

export type Media = Extract<Part, { kind: 'media' }>

/** Undefined where it has a shape of its own. */
export function readInline(blob: JsonObject): Media | undefined {
  const { mimeType, data, displayName, ...rest } = camel(blob)
  const mime = textOf(mimeType)
  const base64 = textOf(data)
  if (mime === undefined || base64 === undefined || Object.keys(rest).length > 0) return undefined
  return media(typeOf(mime), { base64, mime }, displayName)
}

export function readFile(file: JsonObject): Media | undefined {
  const { fileUri, mimeType, displayName, ...rest } = camel(file)
  const uri = textOf(fileUri)
  if (uri === undefined || Object.keys(rest).length > 0) return undefined
  const mime = textOf(mimeType)
  const type = typeOf(mime ?? mimeOf(uri))
  if (isPublic(uri)) return media(type, present({ url: uri, mime }), displayName)
  const left = mime === undefined ? {} : { fileData: { mimeType: mime } }
  return { ...media(type, { id: uri, of: 'generative' }, displayName), ...only(left) }
}

function media(type: Media['type'], source: MediaSource, name: JsonObject[string]): Media {
  const part: Media = { kind: 'media', type, source, ...only({}) }
  return typeof name === 'string' ? { ...part, name } : part
}

/** What anybody can fetch; its own files and those of its cloud storage only the service can. */
function isPublic(uri: string): boolean {
  return /^https?:\/\/(?!generativelanguage\.googleapis\.com\/)/.test(uri)
}

function typeOf(mime: string | undefined): Media['type'] {
  const top = mime?.slice(0, mime.indexOf('/'))
  return top === 'image' || top === 'audio' || top === 'video' ? top : 'file'
}

/** The source as part data of this format; undefined for a file another issuer keeps. */
export function writeMedia(part: Media): JsonObject | undefined {
  const { source, name } = part
  // The public API knows no display name, so only those go out that a client of this format put there.
  const displayName = isOwn(part) ? name : undefined
  if ('base64' in source) {
    return { inlineData: present({ mimeType: source.mime, data: source.base64, displayName }) }
  }
  if ('url' in source) {
    const mimeType = source.mime ?? (isOwn(part) ? undefined : mimeOf(source.url))
    return { fileData: present({ fileUri: source.url, mimeType, displayName }) }
  }
  if (source.of !== 'generative') return undefined
  const { mimeType } = (part.only?.generative?.fileData ?? {}) as JsonObject
  return { fileData: present({ fileUri: source.id, mimeType, displayName }) }
}

const mimes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  txt: 'text/plain',
}

const videoSites = /^https?:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//

/** As far as the address shows. */
function mimeOf(url: string): string | undefined {
  if (videoSites.test(url)) return 'video/mp4'
  const extension = (
    extensionOf(url.slice(0, url.search(/[?#]|$/))) ?? extensionOf(url)
  )?.toLowerCase()
  return extension !== undefined && Object.hasOwn(mimes, extension) ? mimes[extension] : undefined
}

/** Of an address with its query a name in it may stand at the end, as in `?file=a.png`. */
function extensionOf(address: string): string | undefined {
  return /\.(\w{1,8})$/.exec(address.slice(-9))?.[1]
}
