/** Media as blocks of a message. Only bytes can be sent: the service fetches nothing but objects of its own store. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Of } from './parts.js'

/** `name`: that of a document, which must have one. Undefined: the service has no block for it. */
export function mediaBlock(part: Of<'media'>, name = 'document'): JsonObject | undefined {
  const { type, source } = part
  if (!('base64' in source)) return undefined
  const format = formats[type][source.mime.toLowerCase().split(';')[0]!.trim()]
  if (format === undefined) return undefined
  const block = { format, source: { bytes: source.base64 } }
  return type === 'file' ? { document: { ...block, name } } : { [type]: block }
}

/** The service's names for media types (enumerations of its API model, 2026-11). */
const formats: Readonly<Record<Of<'media'>['type'], Readonly<Record<string, string>>>> = {
  image: {
    'image/jpeg': 'jpeg',
    'image/jpg': 'jpeg',
    'image/png': 'png',
    'image/gif': 'gif',
    'image/webp': 'webp',
  },
  audio: {
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg',
    'audio/opus': 'opus',
    'audio/aac': 'aac',
    'audio/mp4': 'm4a',
    'audio/webm': 'webm',
  },
  video: {
    'video/mp4': 'mp4',
    'video/webm': 'webm',
    'video/quicktime': 'mov',
    'video/x-matroska': 'mkv',
    'video/x-flv': 'flv',
    'video/mpeg': 'mpeg',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': 'three_gp',
  },
  file: {
    'application/pdf': 'pdf',
    'text/plain': 'txt',
    'text/markdown': 'md',
    'text/csv': 'csv',
    'text/html': 'html',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  },
}
