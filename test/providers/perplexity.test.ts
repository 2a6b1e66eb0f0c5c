/** Perplexity: the Agent API in its own words, and the retired chat completions with turns that alternate. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/perplexity/index.js'
import { cuttings } from '../conformance/kit.js'
import { adapterOf } from '../conformance/provider.js'

const adapter = adapterOf(create(), 'chat', 'chat')
const channel = { id: 1, type: 27, baseUrl: 'https://api.perplexity.ai', settings: {} }
const turns = (messages: readonly JsonObject[]) => adapter.adjust!({ messages }, channel).messages
const stream = readFileSync(new URL('../fixtures/perplexity/no-end.sse', import.meta.url))

const user = (content: JsonObject['content']) => ({ role: 'user', content })

t.test('neighbours of one role become one message', async (t) => {
  t.strictSame(turns([user('One'), user('Two'), user('')]), [user('One\n\nTwo\n\n')])
  t.strictSame(turns([user('One'), user([{ type: 'image_url' }])]), [
    user([{ type: 'text', text: 'One' }, { type: 'image_url' }]),
  ])
  const answers = [
    { role: 'assistant', content: 'A' },
    { role: 'assistant', content: 'B' },
  ]
  t.strictSame(turns([user('One'), ...answers, user('Two')]), [
    user('One'),
    { role: 'assistant', content: 'A\n\nB' },
    user('Two'),
  ])
})

t.test('messages that alternate stay the same object', async (t) => {
  const wire = Object.freeze({
    messages: [
      { role: 'system', content: 'A' },
      { role: 'system', content: 'B' },
      user('One'),
      { role: 'assistant', content: '' },
      user('Two'),
    ],
  })
  t.equal(adapter.adjust!(wire, channel), wire)
})

t.test('its stream is whole without a terminator, however it was cut', async (t) => {
  for (const { pieces } of [...cuttings(stream)]) {
    const watch = chat().watch({ wantsUsage: true })
    const out = Buffer.concat([...pieces.map((piece) => watch.push(piece)), watch.flush()])
    t.ok(watch.ended && out.toString().endsWith('data: [DONE]\n\n'))
    t.match(watch.usage, { input: 7, output: 5 })
  }
})

t.test('the address has no version', async (t) => {
  const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: true }
  const { url } = adapter.address({ kind: 'none' }, channel, { key: 'k' }, context)
  t.equal(url, 'https://api.perplexity.ai/chat/completions')
})
