/** Perplexity: turns that alternate, and a stream that gets its end exactly where it is missing. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/perplexity/index.js'
import { cuttings } from '../conformance/kit.js'
import { adapterOf } from '../conformance/provider.js'

const adapter = adapterOf(create(), 'chat')
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

function passed(pieces: readonly Buffer[]): string {
  const frames = adapter.unframe!()
  return Buffer.concat([
    ...pieces.flatMap((piece) => frames.push(piece)),
    ...frames.flush(),
  ]).toString('utf8')
}

t.test('a stream that has stopped gets its end, however it was cut', async (t) => {
  const whole = `${stream.toString('utf8')}\n\ndata: [DONE]\n\n`
  t.equal(passed([stream]), whole)
  t.ok([...cuttings(stream)].every(({ pieces }) => passed(pieces) === whole))
  const watch = chat().watch({ wantsUsage: true })
  watch.push(Buffer.from(whole))
  t.ok(watch.ended)
  t.match(watch.usage, { input: 7, output: 5 })
})

t.test('an end that is there is not doubled, and a broken stream gets none', async (t) => {
  const done = Buffer.concat([stream, Buffer.from('data: [DONE]\n\n')])
  t.equal(passed([done]), done.toString('utf8'))
  t.ok([...cuttings(done)].every(({ pieces }) => passed(pieces) === done.toString('utf8')))
  const broken = stream.subarray(0, stream.lastIndexOf('data:'))
  t.equal(passed([broken]), broken.toString('utf8'))
  const quoted = Buffer.from('data: {"content":"\\"finish_reason\\": \\"stop\\""}\n\n')
  t.equal(passed([quoted]), quoted.toString('utf8'))
})

t.test('the address has no version', async (t) => {
  const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: true }
  const { url } = adapter.address({ kind: 'none' }, channel, { key: 'k' }, context)
  t.equal(url, 'https://api.perplexity.ai/chat/completions')
})
