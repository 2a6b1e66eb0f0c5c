/** What one request may hold while it is recorded, and what of it is masked whoever sent it. */
import t from 'tap'
import type { Received } from '../../../kernel/contract/line/record.js'
import type { RecordedTry } from '../../../kernel/contract/line/recording.js'
import {
  bodyBytesMax,
  callsMax,
  headerCharactersMax,
  heldMax,
  requestBytesMax,
} from '../../../plugins/services/recordings/bounds.js'
import { RequestRecording } from '../../../plugins/services/recordings/request-recording.js'
import { Room } from '../../../plugins/services/recordings/room.js'

const key = 'sk-of-the-client-1234567890'
const received = (body: string) =>
  ({
    requestId: 'req_1',
    path: '/v1/chat/completions',
    client: { headers: {}, query: {} },
    credential: { kind: 'key', key },
    body: { kind: 'json', bytes: Buffer.from(body), value: {} },
  }) as unknown as Received
const attempt = { number: 1, channel: { id: 1, name: 'one' }, keyId: 1 } as unknown as RecordedTry
const call = { method: 'POST', url: 'https://upstream.example/', headers: {} }

function begun(body = '{}', room = new Room()) {
  const of = { level: 'bodies', userId: 1, tokenId: 1, startedAt: 0 } as const
  room.enter(0)
  return new RequestRecording(received(body), of, room, 0, () => undefined)
}

t.test('[X3] the key of a client and that of an upstream stand in no body', async (t) => {
  const recording = begun(`{"note": "my key is ${key}"}`)
  const secret = 'a signing secret without any form'
  const body = `{"signed with": "${secret}", "again": "${key}"}`
  recording.sent(attempt, { ...call, body }, [secret])
  const own = 'private-of-this-upstream-42'
  recording.sent(attempt, { ...call, headers: { 'x-api-key': own }, body: `"${own}"` }, [])
  const kept = JSON.stringify(recording.sides())
  for (const text of [key, secret, own]) t.notMatch(kept, text)
  t.match(kept, /signed with/)
})

t.test('[API-7] so many calls of a request are kept, and so many bytes', async (t) => {
  const recording = begun()
  for (let at = 0; at < callsMax + 4; at++) {
    recording.sent(attempt, { ...call, body: 'word '.repeat(bodyBytesMax / 4) }, [])
  }
  const { calls } = recording.sides().upstream
  t.equal(calls.length, callsMax)
  const bytes = calls.reduce((sum, { request }) => sum + request.body.text.length, 0)
  t.ok(bytes <= requestBytesMax, `${bytes} bytes`)
  t.match(calls.at(-1)?.request.body, { text: '', cut: true })
})

t.test('[API-7] so many requests are recorded at once, and room comes back', async (t) => {
  const room = new Room()
  for (let at = 0; at < heldMax; at++) t.equal(room.enter(0), true)
  t.equal(room.enter(0), false)
  room.leave(0)
  t.equal(room.enter(0), true)
})

t.test('[API-7] of a long header its beginning is kept', async (t) => {
  const recording = begun()
  const headers = { 'x-long': 'word '.repeat(headerCharactersMax) }
  recording.sent(attempt, { ...call, headers }, [])
  const [sent] = recording.sides().upstream.calls
  t.strictSame(sent?.request.headers, [['x-long', headers['x-long'].slice(0, headerCharactersMax)]])
})
