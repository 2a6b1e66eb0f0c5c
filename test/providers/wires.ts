/** Bodies of every operation as clients send them, for providers that take them as they are. */
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'

const png = Buffer.from('iVBORw0KGgo=', 'base64')

function form(fields: JsonObject, field: string, filename: string, mime: string): Body {
  return { kind: 'form', fields, files: [{ field, filename, mime, bytes: png }] }
}

export const chatWire: JsonObject = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Hello' }],
}

export const wires: Readonly<Record<OperationName, JsonObject | Body>> = {
  chat: chatWire,
  completions: { model: 'gpt-3.5-turbo-instruct', prompt: 'Once' },
  embeddings: { model: 'text-embedding-3-small', input: ['one', 'two'] },
  images: { model: 'gpt-image-1', prompt: 'A house', n: 2 },
  edits: form({ model: 'gpt-image-1', prompt: 'Red' }, 'image', 'a.png', 'image/png'),
  speech: { model: 'tts-1', input: 'Hello', voice: 'alloy' },
  transcriptions: form({ model: 'whisper-1' }, 'file', 'a.mp3', 'audio/mpeg'),
  translations: form({ model: 'whisper-1' }, 'file', 'a.mp3', 'audio/mpeg'),
  rerank: { model: 'rerank-1', query: 'one', documents: ['a', 'b'] },
  moderations: { model: 'omni-moderation-latest', input: 'Hello' },
  search: { model: 'gpt-5', query: 'weather' },
  compact: { model: 'gpt-5', input: 'Hello' },
  count: { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello' }] },
  realtime: { kind: 'none' },
  video: { model: 'sora-2', prompt: 'A cat', seconds: 4 },
  music: { model: 'suno_music', prompt: 'A song' },
  midjourney: { model: 'mj_imagine', action: 'imagine', prompt: 'A cat' },
}

/** One call of each of these operations. */
export function callsOf(names: readonly OperationName[]) {
  return names.map((operation) => ({ operation, wire: wires[operation] }))
}
