/**
 * Names for files that are uploaded: services tell the kind of a file by its extension. The types are those of the IANA registry and
 * of browsers (developer.mozilla.org/docs/Web/HTTP/Guides/MIME_types/Common_types, read 2026-11-27).
 */

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/x-flac': 'flac',
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'video/3gpp': '3gp',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/epub+zip': 'epub',
  'application/gzip': 'gz',
  'application/x-7z-compressed': '7z',
  'application/octet-stream': 'bin',
}

const nameMax = 100
const plainSubtype = /^[a-z]+\/([a-z0-9]{1,10})$/

/** By the media type, without its dot: most subtypes are extensions themselves. */
function extensionOf(mime: string): string {
  const type = (mime.split(';')[0] ?? '').trim().toLowerCase()
  return Object.hasOwn(extensions, type)
    ? extensions[type]!
    : (plainSubtype.exec(type)?.[1] ?? 'bin')
}

/** What the client called it, as far as that is a name and no path; with an extension in any case. */
export function fileName(name: string | undefined, mime: string): string {
  const given = (name ?? '').replaceAll(unsafe, '_').trim().slice(-nameMax)
  return /.\.[a-z0-9]{1,10}$/i.test(given) ? given : `${given || 'file'}.${extensionOf(mime)}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not pass.
const unsafe = /[\u0000-\u001f\u007f/\\]/g
