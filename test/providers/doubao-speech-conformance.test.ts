/** The Doubao Speech provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import create from '../../providers/doubao-speech/index.js'
import { conformingProvider } from '../conformance/provider.js'

const request = { model: 'seed-tts-2.0', input: 'Hello', voice: 'alloy' }
const base64 = Buffer.from('sound').toString('base64')
const piece = { code: 0, message: '', data: base64 }
const last = { code: 20_000_000, message: 'ok', data: null, usage: { text_words: 5 } }
const lines = (...values: readonly object[]) =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))

const answer = (name: string, body: Buffer, response_format?: string, type?: string) => ({
  ...{ name, operation: 'speech' as const, body },
  request: { ...request, ...(response_format !== undefined && { response_format }) },
  ...(type !== undefined && { type }),
})

const refusal = (
  status: number,
  code: number,
  message: string,
  blame: 'client' | 'channel' | 'upstream',
) => ({
  operation: 'speech' as const,
  status,
  body: { header: { reqid: 'r', code, message } },
  blame,
})

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../providers/doubao-speech/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  calls: [
    { operation: 'speech', wire: request },
    { operation: 'speech', wire: { ...request, response_format: 'wav', speed: 1.5 } },
  ],
  streams: [],
  answers: [
    answer('sound', lines(piece, piece, last), undefined, 'audio/mpeg'),
    answer('sound in Ogg', lines(piece, last), 'opus', 'audio/ogg'),
    answer('samples', lines(piece, last), 'pcm', 'audio/pcm'),
    answer('a file', lines(piece, last), 'wav', 'audio/wav'),
    answer('no sound', lines(last)),
    answer('a cut', lines(piece)),
    answer('garbage', Buffer.from('{"code":0')),
    answer('an error', lines({ code: 45_000_030, message: 'requested resource not granted' })),
  ],
  refusals: [
    refusal(400, 40_402_003, 'TTSExceededTextLimit:exceed max limit', 'client'),
    refusal(400, 45_000_000, 'quota exceeded for types: concurrency', 'channel'),
    refusal(403, 45_000_000, 'speaker permission denied: get resource id: access denied', 'client'),
    refusal(400, 45_000_001, '[Invalid argument] speaker not found', 'client'),
    refusal(401, 45_000_010, 'Invalid X-Api-Key', 'channel'),
    refusal(403, 45_000_030, 'requested resource not granted', 'channel'),
    refusal(400, 45_000_292, 'quota exceeded for types: text_words_lifetime', 'channel'),
    refusal(400, 55_000_000, 'resource ID is mismatched with speaker related resource', 'client'),
    refusal(500, 55_000_000, 'synthesis processing timeout', 'upstream'),
  ],
})
