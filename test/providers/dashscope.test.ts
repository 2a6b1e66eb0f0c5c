/** DashScope: its places, thinking that would refuse an answer in one piece, rerank in its own form. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import create from '../../providers/dashscope/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const at = (baseUrl: string) => ({ id: 1, type: 17, baseUrl, settings: {} })

t.test('a host and a base out of the documentation are the same place', async (t) => {
  const host = 'https://dashscope.aliyuncs.com'
  const url = (base: string, operation: OperationName, format?: Adapter['format']) =>
    adapterOf(provider, operation, format).address(
      { kind: 'none' },
      at(base),
      { key: 'k' },
      { now: 0, forwarded: { headers: {} }, model: 'm', stream: false },
    ).url
  for (const base of [host, `${host}/compatible-mode/v1`, `${host}/compatible-mode`]) {
    t.equal(url(base, 'chat'), `${host}/compatible-mode/v1/chat/completions`)
    t.equal(url(base, 'chat', 'messages'), `${host}/apps/anthropic/v1/messages`)
    t.equal(url(base, 'chat', 'responses'), `${host}/compatible-mode/v1/responses`)
    t.equal(url(base, 'embeddings'), `${host}/compatible-mode/v1/embeddings`)
    t.equal(url(base, 'rerank'), `${host}/api/v1/services/rerank/text-rerank/text-rerank`)
  }
})

const adjust = (wire: JsonObject) =>
  adapterOf(provider, 'chat').adjust!(wire, at('https://h.example'))

t.test('hybrid models are reported not to think where one piece is wanted', async (t) => {
  for (const model of ['qwen3-8b', 'qwen3-0.6b', 'qwen3-235b-a22b']) {
    t.strictSame(adjust({ model }), { model, enable_thinking: false })
    t.strictSame(adjust({ model, stream: false }), { model, stream: false, enable_thinking: false })
  }
})

t.test(
  'who streams, states something of thinking or asks another model is left alone',
  async (t) => {
    for (const wire of [
      { model: 'qwen3-8b', stream: true },
      { model: 'qwen3-8b', enable_thinking: true },
      { model: 'qwen3-8b', enable_thinking: false },
      { model: 'qwen3-235b-a22b-thinking-2507' },
      { model: 'qwen3-30b-a3b-instruct-2507' },
      { model: 'qwen3-max' },
      { model: 'qwen-plus' },
    ]) {
      const frozen = Object.freeze(wire)
      t.equal(adjust(frozen), frozen)
    }
  },
)

t.test('a rerank states what is queried and how in two places', async (t) => {
  const fields = {
    model: 'qwen3-rerank',
    query: '',
    documents: ['a', { text: 'b' }],
    top_n: 0,
    return_documents: false,
    instruct: 'x',
  }
  const body = adapterOf(provider, 'rerank').shape!(
    { kind: 'json', value: fields },
    at('https://h.example'),
    'qwen3-rerank',
  )
  t.strictSame(body, {
    kind: 'json',
    value: {
      model: 'qwen3-rerank',
      input: { query: '', documents: ['a', { text: 'b' }] },
      parameters: { top_n: 0, return_documents: false, instruct: 'x' },
    },
  })
})
