/** Cloudflare's native inputs through the whole gateway: a form becomes JSON, a picture JSON or a form, and each is charged. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { isRecord, listIn, strictly, type VendorRule } from '../kit/vendor.js'

const whisper = '@cf/openai/whisper-large-v3-turbo'
const flux = '@cf/black-forest-labs/flux-2-dev'
const reranker = '@cf/baai/bge-reranker-base'
const gateway = await scriptedGateway(t, {
  channel: { type: 39, models: `${whisper},${flux},${reranker}`, settings: { account: '0a1b' } },
})
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', { [whisper]: 1, [flux]: 1, [reranker]: 1 })
await admin.option('ModelPrice', { [flux]: 0.01 })
const authorization = `Bearer ${key}`
const transcript = readFileSync(new URL('../fixtures/cloudflare/transcript.json', import.meta.url))

t.test('a recording is sent as base64, and charged by the seconds reported', async (t) => {
  upstream.script(json(200, JSON.parse(transcript.toString('utf8'))))
  const form = new FormData()
  form.set('model', whisper)
  form.set('file', new Blob(['RIFF']), 'a.wav')
  const answer = await fetch(`${url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  t.strictSame(await answer.json(), {
    text: ' Hello there.',
    usage: { type: 'duration', seconds: 12.5 },
  })
  const { path, json: sent, headers } = upstream.requests.at(-1)!
  t.equal(path, `/client/v4/accounts/0a1b/ai/run/${whisper}`)
  t.equal(headers['content-type'], 'application/json')
  t.strictSame(sent, { audio: Buffer.from('RIFF').toString('base64'), task: 'transcribe' })
  // 12.5 s at 1000 tokens a minute.
  t.match((await gateway.logs())[0], { prompt_tokens: 209, completion_tokens: 0, quota: 209 })
})

t.test('a model that takes a form gets one, and its picture has a price', async (t) => {
  upstream.script(json(200, { success: true, result: { image: '/9j/' } }))
  const answer = await fetch(`${url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ model: flux, prompt: 'A house', size: '512x768' }),
  })
  t.match(await answer.json(), { data: [{ b64_json: '/9j/' }] })
  const { headers, text } = upstream.requests.at(-1)!
  t.match(headers['content-type'], /^multipart\/form-data; boundary=/)
  t.match(text, /name="width"\r\n\r\n512\r\n/)
  t.match(text, /name="prompt"\r\n\r\nA house\r\n/)
  t.match((await gateway.logs())[0], { quota: 5000 })
})

t.test('more pictures than a model makes at once are refused, and cost nothing', async (t) => {
  const before = (await gateway.logs()).length
  const answer = await fetch(`${url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ model: flux, prompt: 'A house', n: 2 }),
  })
  t.equal(answer.status, 400)
  t.match(await answer.json(), { error: { param: 'n' } })
  t.strictSame(
    (await gateway.logs()).slice(before).filter(({ quota }) => quota !== 0),
    [],
  )
})

const rankingRules: readonly VendorRule[] = [
  {
    rule: "required properties at '/' are 'query,contexts'",
    source: 'github.com/cloudflare/workerd/issues/4151',
    read: '2026-11-27',
    broken: ({ json: sent }) => !isText(sent, 'query') || listIn(sent, 'contexts').length === 0,
  },
  {
    rule: 'each of the contexts has a text',
    source: 'developers.cloudflare.com/workers-ai/models/bge-reranker-base',
    read: '2026-11-27',
    broken: ({ json: sent }) =>
      listIn(sent, 'contexts').some((context) => !isText(context, 'text')),
  },
  {
    rule: 'top_k is an integer of at least 1',
    source: 'developers.cloudflare.com/workers-ai/models/bge-reranker-base',
    read: '2026-11-27',
    broken: ({ json: sent }) => {
      const { top_k: most = 1 } = isRecord(sent) ? sent : {}
      return !Number.isInteger(most) || Number(most) < 1
    },
  },
]

function isText(value: unknown, member: string): boolean {
  return isRecord(value) && typeof value[member] === 'string' && value[member] !== ''
}

function rank(over: Readonly<Record<string, unknown>>) {
  return fetch(`${url}/v1/rerank`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: reranker, query: 'Which is a cat?', documents: ['A lizard', { text: 'A cat' }] },
      ...over,
    }),
  })
}

t.test('a ranking keeps the rules of the model, and is charged by its tokens', async (t) => {
  const recorded = readFileSync(new URL('../fixtures/cloudflare/rerank.json', import.meta.url))
  upstream.script(strictly(rankingRules, json(200, JSON.parse(recorded.toString('utf8')))))
  const answer = await rank({ top_n: 2, return_documents: true, max_chunk_per_doc: 4 })
  t.match(await answer.json(), {
    results: [
      { index: 1, relevance_score: 0.97, document: { text: 'A cat' } },
      { index: 0, relevance_score: 0.02, document: { text: 'A lizard' } },
    ],
  })
  t.equal(answer.headers.get('x-waybill-lost'), 'max_chunk_per_doc')
  const { path, json: sent } = upstream.requests.at(-1)!
  t.equal(path, `/client/v4/accounts/0a1b/ai/run/${reranker}`)
  t.strictSame(sent, {
    query: 'Which is a cat?',
    contexts: [{ text: 'A lizard' }, { text: 'A cat' }],
    top_k: 2,
  })
  t.match((await gateway.logs())[0], { prompt_tokens: 40, completion_tokens: 0, quota: 40 })
})

t.test('what a ranking cannot hold is refused by its field', async (t) => {
  const rows = [
    [{ query: { image: 'data:image/png;base64,eA==' } }, 'query'],
    [{ documents: [{ text: 'A cat', url: 'https://h.example' }] }, 'documents'],
    [{ documents: [{ image: 'data:image/png;base64,eA==' }] }, 'documents'],
    [{ top_n: 0 }, 'top_n'],
  ] as const
  for (const [over, param] of rows) {
    const answer = await rank(over)
    t.equal(answer.status, 400, param)
    t.match(await answer.json(), { error: { param } })
  }
})
