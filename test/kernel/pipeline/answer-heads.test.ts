/** The beginning of an answer where the upstream, or the plugin that reads it, tells none: an id of its own, and a time. */
import t from 'tap'
import type { Event } from '../../../kernel/contract/event.js'
import type { Format } from '../../../kernel/contract/format.js'
import { dated } from '../../../kernel/toolkit/stage/tally.js'
import chat from '../../../plugins/formats/chat/index.js'
import generative from '../../../plugins/formats/generative/index.js'
import messages from '../../../plugins/formats/messages/index.js'
import responses from '../../../plugins/formats/responses/index.js'

const at = { choice: 0, part: 0 }
const answer: readonly Event[] = [
  { type: 'open', at, part: { kind: 'text' } },
  { type: 'delta', at, text: 'Hello' },
  { type: 'close', at },
  { type: 'stop', choice: 0, reason: 'end', word: 'end' },
  { type: 'end' },
]

/** Ways in which a plugin does not care. */
const heads: Readonly<Record<string, readonly Event[]>> = {
  'no beginning': [],
  'a bare one': [{ type: 'start' }],
  'an empty id and no time': [{ type: 'start', id: '', created: 0 }],
}

const receivedAt = 1_767_225_600_000

function written(format: Format, head: readonly Event[], requestId: string) {
  const events = dated([...head, ...answer], { receivedAt })
  const reader = { model: 'm', requestId, wantsUsage: false }
  const encoder = format.encodeStream(reader)
  const pieces = [...events.flatMap((event) => encoder.push(event)), ...encoder.flush()]
  return {
    whole: JSON.stringify(format.encodeReply(events, reader)),
    streamed: Buffer.concat(pieces).toString(),
  }
}

const idOf = (text: string) => /"(?:id|responseId)":"((?!msg_0|rs_)[^"]+)"/.exec(text)?.[1]

t.test('an answer has an id of its own, whatever the plugin tells', async (t) => {
  for (const format of [chat(), messages(), generative(), responses()]) {
    for (const [name, head] of Object.entries(heads)) {
      const [first, again, other] = ['req_1', 'req_1', 'req_2'].map((id) =>
        written(format, head, id),
      )
      for (const way of ['whole', 'streamed'] as const) {
        const id = idOf(first![way])
        t.ok(id, `${format.name}, ${name}, ${way}`)
        t.equal(idOf(again![way]), id, 'the same request has the same')
        t.not(idOf(other![way]), id, 'another request has another')
      }
      t.equal(idOf(first!.whole), idOf(first!.streamed), `${format.name}, ${name}: streamed or not`)
    }
  }
})

t.test('an answer was made when its request came, where nobody tells another time', async (t) => {
  for (const [name, head] of Object.entries(heads)) {
    const { whole, streamed } = written(chat(), head, 'req_1')
    t.match(whole, /"created":1767225600\b/, name)
    t.match(streamed, /"created":1767225600\b/, name)
    t.match(written(responses(), head, 'req_1').whole, /"created_at":1767225600\b/, name)
  }
  const results: Event[] = [{ type: 'start', id: 'a', created: 7 }, ...answer]
  t.equal(dated(results, { receivedAt }), results, 'what is reported stays')
})
