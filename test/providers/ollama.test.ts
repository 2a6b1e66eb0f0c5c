/** Ollama: where each operation goes, and what happens to a key that is none. */
import t from 'tap'
import type { Adapter } from '../../kernel/contract/provider.js'
import create from '../../providers/ollama/index.js'
import { adapterOf } from '../conformance/provider.js'

const channel = { id: 1, type: 4, baseUrl: 'http://localhost:11434', settings: {} }
const context = { now: 0, forwarded: { headers: {} }, model: 'qwen3:8b', stream: true }

function addressed(adapter: Adapter, key = 'ollama') {
  return adapter.address({ kind: 'none' }, channel, { key }, context)
}

t.test('every operation has its compatible path', async (t) => {
  const provider = create()
  const chat = adapterOf(provider, 'chat', 'chat')
  const messages = adapterOf(provider, 'chat', 'messages')
  const adapters = [chat, messages, adapterOf(provider, 'completions')]
  const urls = [...adapters, adapterOf(provider, 'embeddings'), adapterOf(provider, 'images')].map(
    (adapter) => addressed(adapter).url.replace('http://localhost:11434', ''),
  )
  t.strictSame(urls, [
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/completions',
    '/v1/embeddings',
    '/v1/images/generations',
  ])
  t.equal(addressed(messages).headers['anthropic-version'], '2023-06-01')
  t.notOk('anthropic-version' in addressed(chat).headers)
})

t.test('a key is a bearer key, and what stands for none is not sent', async (t) => {
  for (const [, adapter] of [
    ['chat', adapterOf(create(), 'chat', 'chat')],
    ['messages', adapterOf(create(), 'chat', 'messages')],
  ] as const) {
    t.equal(addressed(adapter, ' key-1 ').headers.authorization, 'Bearer key-1')
    for (const none of ['', '-', ' - ']) {
      t.notOk('authorization' in addressed(adapter, none).headers, JSON.stringify(none))
    }
  }
})
