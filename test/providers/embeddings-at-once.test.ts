/** How many texts a call for vectors may hold, by service: more are several calls, as many texts in each as it takes. */
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { Json } from '../../kernel/contract/json.js'
import type { Adapter, OwnOperationAdapter, Provider } from '../../kernel/contract/provider.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import chatCompatible from '../../providers/chat-compatible/index.js'
import cloudflare from '../../providers/cloudflare/index.js'
import cohere from '../../providers/cohere/index.js'
import dashscope from '../../providers/dashscope/index.js'
import gemini from '../../providers/gemini/index.js'
import jina from '../../providers/jina/index.js'
import mistral from '../../providers/mistral/index.js'
import siliconflow from '../../providers/siliconflow/index.js'
import vertex from '../../providers/vertex/index.js'
import volcengine from '../../providers/volcengine/index.js'
import zhipu from '../../providers/zhipu/index.js'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Recorded, type Script } from '../kit/upstream.js'
import { kitWith, manifestOf } from './provider-kit.js'

interface Case {
  readonly create: () => Provider
  readonly type: number
  readonly model?: string
  readonly most: number
  /** The service's word for the texts. Absent: `input`. */
  readonly member?: string
}

const googles = () => gemini(kitWith(manifestOf('gemini')))

const cases: Readonly<Record<string, Case>> = {
  dashscope: { create: dashscope, type: 17, most: 10 },
  zhipu: { create: zhipu, type: 26, most: 64 },
  siliconflow: { create: siliconflow, type: 40, most: 32 },
  jina: { create: jina, type: 38, most: 512 },
  mistral: { create: mistral, type: 42, most: 512 },
  cloudflare: { create: cloudflare, type: 39, most: 100 },
  baidu: { create: chatCompatible, type: 46, model: 'bge-large-zh', most: 16 },
  'baidu, the first number': { create: chatCompatible, type: 15, model: 'm', most: 16 },
  tencent: { create: chatCompatible, type: 23, most: 128 },
  'baidu tao': { create: chatCompatible, type: 46, model: 'tao-8k', most: 1 },
  cohere: { create: cohere, type: 34, most: 96, member: 'texts' },
  gemini: { create: googles, type: 24, most: 100, member: 'requests' },
  'vertex gemini': {
    ...{ create: vertex, type: 41, model: 'gemini-embedding-001', most: 1, member: 'instances' },
  },
  vertex: { create: vertex, type: 41, model: 'text-embedding-005', most: 250, member: 'instances' },
  volcengine: { create: volcengine, type: 45, model: 'doubao-embedding-vision', most: 1 },
}

function partsOf({ create, type, model = 'm' }: Case, input: Json): readonly Body[] {
  const channel = { id: 1, type, baseUrl: 'https://h.example', settings: {} }
  const adapters: readonly Adapter[] = [create().operations.embeddings ?? []].flat()
  const adapter = adapters.find(({ serves }) => serves?.(channel, model) ?? true)!
  const asked: Body = { kind: 'json', value: { model, input } }
  const wire = (adapter as OwnOperationAdapter).shape?.(asked, channel, model) ?? asked
  return adapter.split?.(wire, model) ?? [wire]
}

for (const [name, one] of Object.entries(cases)) {
  t.test(`${name}: ${one.most} at once`, async (t) => {
    const sizes = (count: number) =>
      partsOf(
        one,
        Array.from({ length: count }, (_, at) => `text ${at}`),
      ).map((part) => {
        const list = jsonOf(part)[one.member ?? 'input']
        return Array.isArray(list) ? list.length : 1
      })
    t.strictSame(sizes(one.most), [one.most])
    t.strictSame(sizes(2 * one.most + 1), [one.most, one.most, 1])
    t.equal(partsOf(one, 'a text').length, 1)
  })
}

t.test('texts that are chunks of one text are never divided', async (t) => {
  const { embeddings } = jina().operations
  const input = Array.from({ length: 600 }, String)
  const wire: Body = { kind: 'json', value: { model: 'm', input, late_chunking: true } }
  t.strictSame((embeddings as Adapter).split?.(wire, 'm'), [wire])
})

t.test('other services of the same provider are sent everything at once', async (t) => {
  const input = Array.from({ length: 100 }, String)
  t.equal(partsOf({ create: chatCompatible, type: 19, most: 100 }, input).length, 1)
})

/** Cohere's and Gemini's own answers, for so many texts and no more. */
const texts = (request: Recorded) => (request.json as { readonly texts: readonly string[] }).texts
const cohereVectors: Script = (request, reply) => {
  const asked = texts(request)
  if (asked.length > 96) return json(400, { message: 'at most 96 texts' })(request, reply)
  const float = asked.map((text) => [Number(text)])
  const meta = { billed_units: { input_tokens: asked.length } }
  return json(200, { id: 'e', embeddings: { float }, texts: asked, meta })(request, reply)
}
const geminiVectors: Script = (request, reply) => {
  const { requests } = request.json as {
    readonly requests: readonly { content: { parts: readonly { text: string }[] } }[]
  }
  if (requests.length > 100) {
    const error = { code: 400, status: 'INVALID_ARGUMENT', message: 'at most 100 requests' }
    return json(400, { error })(request, reply)
  }
  const embeddings = requests.map(({ content }) => ({ values: [Number(content.parts[0]!.text)] }))
  return json(200, { embeddings })(request, reply)
}

t.test('[SVC-3] parts in a form of their own are one answer and one charge', async (t) => {
  const gateway = await scriptedGateway(t, { channel: { type: 34, models: 'embed-v4.0' } })
  const { upstream, url, key, admin } = gateway
  await admin.channel({
    ...{ type: 24, name: 'gemini', key: 'k', base_url: upstream.url, group: 'default' },
    models: 'gemini-embedding-001',
  })
  await admin.option('ModelRatio', { 'embed-v4.0': 1, 'gemini-embedding-001': 1 })
  const input = Array.from({ length: 230 }, (_, at) => String(at))
  for (const [model, script] of [
    ['embed-v4.0', cohereVectors],
    ['gemini-embedding-001', geminiVectors],
  ] as const) {
    upstream.requests.length = 0
    upstream.script(script)
    const answer = await fetch(`${url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input }),
    })
    t.equal(answer.status, 200, model)
    const { data } = (await answer.json()) as {
      readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[]
    }
    const places = input.map(Number)
    t.strictSame(
      [data.map(({ index }) => index), data.flatMap((one) => one.embedding)],
      [places, places],
    )
    t.equal(upstream.requests.length, 3)
    t.equal((await gateway.logs()).filter(({ model_name: name }) => name === model).length, 1)
  }
  const cohereLog = (await gateway.logs()).find(({ model_name: name }) => name === 'embed-v4.0')
  t.match(cohereLog, { prompt_tokens: 230, quota: 230 })
})
