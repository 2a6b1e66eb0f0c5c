/** Xinference: a key only where there is one, and rerank in the words of the server. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/xinference/index.js'
import { adapterOf } from '../conformance/provider.js'

const rerank = adapterOf(create(), 'rerank')
const channel = { id: 1, type: 47, baseUrl: 'http://inference.example:9997', settings: {} }
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }

t.test('a key is a bearer key, and what stands for none is not sent', async (t) => {
  const headers = (key: string) =>
    rerank.address({ kind: 'none' }, channel, { key }, context).headers
  t.equal(headers(' k ').authorization, 'Bearer k')
  for (const none of ['', '-']) t.notOk('authorization' in headers(none))
})

t.test('messages go to the server only where the operator says that it has them', async (t) => {
  const messages = adapterOf(create(), 'chat', 'messages')
  const served = (settings: JsonObject) =>
    messages.serves?.({ ...channel, settings }, 'm', 'messages')
  t.ok(served({ messages_api: 'as-sent' }))
  for (const settings of [{}, { messages_api: 'convert' }]) t.notOk(served(settings))
  const { url, headers } = messages.address({ kind: 'none' }, channel, { key: 'k' }, context)
  t.equal(url, 'http://inference.example:9997/anthropic/v1/messages')
  t.equal(headers['anthropic-version'], '2023-06-01')
})

t.test('rerank is spelled as the server names it', async (t) => {
  const plain = { model: 'm', query: 'q', documents: ['a'], top_n: 0, return_len: true }
  t.equal(rerank.adjust!(plain, channel), plain, 'nothing to change is nothing changed')
  const image = { image: 'https://x.example/a.png' }
  t.strictSame(
    rerank.adjust!(
      {
        model: 'm',
        documents: ['a', { text: 'b' }, image],
        max_chunk_per_doc: 2,
        overlap_tokens: 8,
      },
      channel,
    ),
    { model: 'm', documents: ['a', 'b', image], max_chunks_per_doc: 2 },
  )
})
