/** Recording of requests: of everybody for a while, or of one API key (`/api/recordings`). */
import { request } from './request.js'
import type { components } from './schema.js'

export type RecordingState = components['schemas']['RecordingState']
export type RecordingsStored = components['schemas']['RecordingsStored']
export type RecordingLevel = 'headers' | 'bodies'

export function readRecordingState(): Promise<RecordingState> {
  return request('GET', '/api/recordings')
}

export function readStoredRecordings(): Promise<RecordingsStored> {
  return request('GET', '/api/recordings/stored')
}

export function recordEverybody(level: RecordingLevel, minutes: number): Promise<RecordingState> {
  return request('PUT', '/api/recordings/everybody', { body: { level, minutes } })
}

export function stopRecording(): Promise<RecordingState> {
  return request('DELETE', '/api/recordings/everybody')
}

/** Empty: it ends. */
export async function recordKey(
  id: number,
  level: RecordingLevel | '',
  minutes: number,
): Promise<void> {
  await request('PUT', `/api/recordings/keys/${id}`, { body: { level, minutes } })
}
