/** What of a converted stream counts as written. */
import t from 'tap'
import type { Event } from '../../../kernel/contract/event.js'
import { estimateTokens } from '../../../kernel/toolkit/format/token-estimate.js'
import { Tally, tally } from '../../../kernel/toolkit/stage/tally.js'

const at = { choice: 0, part: 0 }

t.test(
  '[FMT-3] arguments of tool calls are written tokens, as text and reasoning are',
  async (t) => {
    const json = '{"city":"Paris","days":[1,2,3]}'
    const parts: Readonly<Record<string, readonly Event[]>> = {
      arguments: [
        { type: 'open', at, part: { kind: 'toolCall', id: 'call_1', name: 'weather' } },
        { type: 'delta', at, json },
      ],
      text: [{ type: 'delta', at, text: json }],
      reasoning: [
        { type: 'open', at, part: { kind: 'reasoning' } },
        { type: 'delta', at, text: json },
      ],
    }
    for (const [title, events] of Object.entries(parts)) {
      t.equal(tally(events).estimatedTokens, estimateTokens(json), title)
    }
  },
)

t.test('what carries no words of the model counts nothing', async (t) => {
  const silent: readonly Event[] = [
    { type: 'start', id: 'answer' },
    { type: 'delta', at, base64: 'AAAA' },
    { type: 'delta', at, seal: 'sealed', sealBy: 'messages' },
    { type: 'note', of: 'chat', raw: 'a comment' },
    { type: 'stop', choice: 0, reason: 'end', word: 'stop' },
  ]
  t.equal(tally(silent).estimatedTokens, 0)
})

t.test('pieces of one text count as the whole of it', async (t) => {
  const counted = new Tally()
  const text = 'internationalisation of everything'
  for (const letter of text) counted.note({ type: 'delta', at, text: letter })
  t.equal(counted.estimatedTokens, estimateTokens(text))
})
