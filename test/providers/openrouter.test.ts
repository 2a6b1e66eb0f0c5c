/** OpenRouter: who is named to it, what a stream states and counts, an error in the middle of one. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/openrouter/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'

const adapter = adapterOf(create(), 'chat')
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/openrouter/${name}`, import.meta.url))

function headers(settings: JsonObject) {
  const channel = { id: 1, type: 20, baseUrl: 'https://openrouter.ai/api', settings }
  const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: true }
  return adapter.address({ kind: 'none' }, channel, { key: 'k' }, context).headers
}

t.test('a site is named only where the operator names it', async (t) => {
  for (const settings of [{}, { site_url: '', site_name: ' ' }]) {
    t.strictSame(Object.keys(headers(settings)).sort(), ['accept', 'authorization', 'content-type'])
  }
  t.match(headers({ site_url: ' https://example.org ', site_name: 'A\r\nB ü' }), {
    'http-referer': 'https://example.org',
    'x-title': 'AB',
  })
})

t.test('thoughts and counts of a stream are read, the cost stays as it was reported', async (t) => {
  const decoder = chat().decodeStream()
  const events = [...decoder.push(fixture('reasoning-cost.sse')), ...decoder.flush()]
  t.match(
    events.find((event) => event.type === 'open'),
    { part: { kind: 'reasoning' } },
  )
  t.match(usageOf(events), { input: 44, cacheRead: 50, cacheWrite5m: 100, output: 12 })
  t.match(
    events.find((event) => event.type === 'usage'),
    { raw: { cost: 0.00095 } },
  )
})

t.test('a model that breaks in the middle is the upstream’s fault', async (t) => {
  const watch = chat().watch({ wantsUsage: true })
  const passed = watch.push(fixture('provider-error.sse')).toString('utf8')
  t.match(watch.failure, { blame: 'upstream', status: 502 })
  t.notMatch(passed, /Provider returned error/)
})

t.test('a flagged prompt is reported to the client', async (t) => {
  t.match(adapter.fail(403, {}, fixture('flagged.json')), {
    blame: 'client',
    status: 403,
    message: /your input was flagged/,
  })
})

t.test('documents of a rerank are bare texts', async (t) => {
  const rerank = adapterOf(create(), 'rerank')
  const channel = { id: 1, type: 20, baseUrl: 'https://openrouter.ai/api', settings: {} }
  const wire = { model: 'cohere/rerank-v3.5', query: 'q', documents: [{ text: 'a' }, 'b'] }
  t.strictSame(rerank.adjust?.(wire, channel), { ...wire, documents: ['a', 'b'] })
  const bare = { ...wire, documents: ['a'] }
  t.equal(rerank.adjust?.(bare, channel), bare)
})
