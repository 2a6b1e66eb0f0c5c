/** Ollama: where each operation goes, and what happens to a key that is none. */
import t from 'tap'
import type { Call } from '../../kernel/contract/call.js'
import type { JsonObject } from '../../kernel/contract/json.js'
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
  const urls = [
    ...adapters,
    adapterOf(provider, 'embeddings', 'same'),
    adapterOf(provider, 'images'),
  ].map((adapter) => addressed(adapter).url.replace('http://localhost:11434', ''))
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

t.test(
  '[ERR-2] the operator reads what has to be done about a model the server cannot run',
  async (t) => {
    const { fail } = adapterOf(create(), 'chat', 'own')
    const said = (status: number, error: string) =>
      fail(status, {}, Buffer.from(JSON.stringify({ error })))
    for (const [status, words, meaning] of [
      [404, "model 'x' not found, try pulling it first", 'has not pulled this model'],
      [404, "model 'x' not found", 'has not pulled this model'],
      [500, 'unexpected server status: llm server loading model', 'still loading this model'],
      [500, 'model requires more system memory (5 GiB) than is available', 'too little memory'],
    ] as const) {
      const { blame, upstreamMessage, message } = said(status, words)
      t.equal(blame, 'channel', words)
      t.match(upstreamMessage, meaning)
      t.match(upstreamMessage, words.slice(0, 20))
      t.notMatch(message, words)
    }
    t.equal(said(400, 'llama3 does not support tools').blame, 'client')
  },
)

t.test('the native API is for what only that one takes', async (t) => {
  const native = adapterOf(create(), 'chat', 'own')
  const compatible = adapterOf(create(), 'chat', 'chat')
  const served = (settings: JsonObject, only: JsonObject) => {
    const call = () => ({ only: { chat: only } }) as unknown as Call
    const serving = [native, compatible].map((adapter) =>
      adapter.serves?.({ ...channel, settings }, 'qwen3:8b', 'chat', call),
    )
    t.not(serving[0], serving[1], 'one of them')
    return serving[0]
  }
  for (const only of [{ num_ctx: 1 }, { options: {} }, { keep_alive: 0 }]) t.ok(served({}, only))
  for (const only of [{}, { num_ctx: null }, { think: true }]) t.notOk(served({}, only))
  t.ok(served({ num_ctx: 4096 }, {}))
  t.ok(served({ keep_alive: '-1' }, {}))
  t.notOk(served({ keep_alive: ' ' }, {}))
  t.notOk(native.serves?.(channel, 'qwen3:8b', undefined, undefined))
})

t.test('a channel says how long models stay, and a request may say otherwise', async (t) => {
  const { encode } = adapterOf(create(), 'chat', 'own')
  const written = (keep_alive: string, chat: JsonObject = {}) =>
    encode?.(
      {
        model: 'x',
        turns: [],
        tools: [],
        stream: false,
        wantsUsage: false,
        sampling: {},
        only: { chat },
      },
      { ...channel, settings: { keep_alive } },
    ).keep_alive
  t.equal(written('10m'), '10m')
  t.equal(written(' -1 '), -1)
  t.equal(written('10m', { keep_alive: 0 }), 0)
  t.equal(written(''), undefined)
})
