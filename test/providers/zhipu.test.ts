/** Zhipu: the two platforms, the coding plans, and an answer that is cut by the filter. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/zhipu/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const at = (baseUrl: string) => ({ id: 1, type: 26, baseUrl, settings: {} })

function url(baseUrl: string, operation: OperationName, format?: Adapter['format']): string {
  const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
  const adapter = adapterOf(provider, operation, format)
  return adapter.address({ kind: 'none' }, at(baseUrl), { key: 'id.secret' }, context).url
}

t.test('a host and a base out of the documentation are the same place', async (t) => {
  for (const host of ['https://open.bigmodel.cn', 'https://api.z.ai']) {
    for (const base of [host, `${host}/api/paas/v4`, `${host}/api/paas/v4/`]) {
      t.equal(url(base, 'chat'), `${host}/api/paas/v4/chat/completions`)
      t.equal(url(base, 'chat', 'messages'), `${host}/api/anthropic/v1/messages`)
      t.equal(url(base, 'embeddings'), `${host}/api/paas/v4/embeddings`)
      t.equal(url(base, 'images'), `${host}/api/paas/v4/images/generations`)
      t.equal(url(base, 'rerank'), `${host}/api/paas/v4/rerank`)
    }
  }
})

t.test('a coding plan is chat at another path, by its alias or its address', async (t) => {
  const places = {
    'glm-coding-plan': 'https://open.bigmodel.cn',
    'glm-coding-plan-international': 'https://api.z.ai',
    'https://api.z.ai/api/coding': 'https://api.z.ai',
    'https://open.bigmodel.cn/api/coding/paas/v4': 'https://open.bigmodel.cn',
  }
  for (const [base, host] of Object.entries(places)) {
    t.equal(url(base, 'chat'), `${host}/api/coding/paas/v4/chat/completions`)
    t.equal(url(base, 'chat', 'messages'), `${host}/api/anthropic/v1/messages`)
    t.ok(mayReach(url(base, 'chat'), base, ['channel', 'open.bigmodel.cn', 'api.z.ai']))
    for (const operation of ['embeddings', 'images', 'rerank'] as const) {
      t.equal(adapterOf(provider, operation).serves?.(at(base), 'm'), false)
    }
  }
  t.equal(adapterOf(provider, 'images').serves?.(at('https://api.z.ai'), 'm'), true)
})

t.test('an answer cut by the filter states so, and is counted', async (t) => {
  const bytes = readFileSync(new URL('../fixtures/zhipu/sensitive.sse', import.meta.url))
  const decoder = chat().decodeStream()
  const events = [...decoder.push(bytes), ...decoder.flush()]
  t.match(
    events.find(({ type }) => type === 'stop'),
    { reason: 'filter', word: 'sensitive' },
  )
  t.match(
    events.find(({ type }) => type === 'usage'),
    { usage: { input: 7, cacheRead: 2, output: 4 } },
  )
})

t.test('speech goes out in the fields of the service', async (t) => {
  const shape = (more: object) => {
    const value = { model: 'glm-tts', input: 'Hello', ...more }
    const body = adapterOf(provider, 'speech').shape!(
      { kind: 'json', value },
      at('x'),
      'glm-tts',
      {},
    )
    return body.kind === 'json' ? body.value : undefined
  }
  const usual = { model: 'glm-tts', input: 'Hello', stream: false }
  const wav = { ...usual, voice: 'tongtong', response_format: 'wav' }
  t.strictSame(shape({}), wav)
  t.strictSame(shape({ voice: 'alloy' }), wav)
  t.strictSame(shape({ voice: 'jam', response_format: 'pcm', speed: 1.5 }), {
    ...{ ...usual, voice: 'jam', response_format: 'pcm', speed: 1.5 },
  })
  const refused = {
    response_format: { response_format: 'mp3' },
    instructions: { instructions: 'Whisper.' },
    stream_format: { stream_format: 'sse' },
  }
  for (const [param, more] of Object.entries(refused)) {
    t.throws(() => shape(more), { code: 'not_expressible', param })
  }
})

t.test('speech and transcriptions are at their paths, and not under a plan', async (t) => {
  for (const [operation, path] of [
    ['speech', 'speech'],
    ['transcriptions', 'transcriptions'],
  ] as const) {
    t.equal(
      url('https://open.bigmodel.cn', operation),
      `https://open.bigmodel.cn/api/paas/v4/audio/${path}`,
    )
    t.equal(adapterOf(provider, operation).serves?.(at('glm-coding-plan'), 'm'), false)
  }
})
