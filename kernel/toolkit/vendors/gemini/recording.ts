/** The recording of a form, under the name the service has for its kind. */
import type { Body } from '../../../contract/body.js'
import type { JsonObject } from '../../../contract/json.js'
import { notExpressible } from '../../errors/refusal.js'

/** Kinds of recordings, and what a service calls them. */
export type RecordingKinds = Readonly<Record<string, string>>

/** @param otherwise kinds that one service calls otherwise than the others do */
export function recordingIn(body: Body, otherwise: RecordingKinds): JsonObject {
  const files = body.kind === 'form' ? body.files : []
  const recording = files.find(({ field }) => field === 'file')
  if (recording === undefined) throw notExpressible('file')
  const { mime, filename, bytes } = recording
  const kind = kindOf(mime, filename)
  const mimeType = Object.hasOwn(otherwise, kind) ? otherwise[kind] : kind
  return { inlineData: { mimeType, data: bytes.toString('base64') } }
}

/** The service knows six kinds, some of them by another name than clients use; others are left for it to judge. */
const kinds: RecordingKinds = {
  'audio/mpeg': 'audio/mp3',
  'audio/mpga': 'audio/mp3',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-aiff': 'audio/aiff',
  'audio/x-flac': 'audio/flac',
  'audio/x-aac': 'audio/aac',
}

const endings: RecordingKinds = {
  mp3: 'audio/mp3',
  mpga: 'audio/mp3',
  mpeg: 'audio/mp3',
  wav: 'audio/wav',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/m4a',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
}

/** Many clients call every file plain bytes. */
function kindOf(mime: string, filename: string): string {
  const [essence = ''] = mime.toLowerCase().split(';')
  const named = essence.trim()
  if (named.startsWith('audio/') || named.startsWith('video/')) return kinds[named] ?? named
  const ending = /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? endings[ending]! : 'audio/mp3'
}
