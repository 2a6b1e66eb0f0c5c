/** Vertex AI through a whole gateway, by a service account: tokens, and each maker's models as strict as the service is. */
import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { speak } from '../kit/speaking/index.js'
import { leadToTest } from '../kit/tasks/google-cloud.js'
import { json, type Script } from '../kit/upstream.js'
import { listIn, objectsWithin, strictly, type VendorRule } from '../kit/vendor.js'
import { keeping } from '../kit/vendors/vendor.js'
import { vertexClaude, vertexGemini } from '../kit/vendors/vertex.js'
import { type VertexCloud, vertexCloud } from '../kit/vendors/vertex-cloud.js'
import { account, key } from './vertex-account.js'

const models = [
  ...['claude-opus-5', 'gemini-3-pro', 'text-embedding-005', 'gemini-embedding-001'],
  ...['imagen-4.0-generate-001', 'expiring', 'refused'],
]
const settings = { region: '{"default":"global","claude-opus-5":"us-east5"}' }
const channel = { type: 41, base_url: '', settings, group: 'default' }
const gateway = await scriptedGateway(t, {
  channel: { ...channel, key, models: models.slice(0, 5).join(',') },
})
const { upstream, admin } = gateway
leadToTest(gateway, upstream.url)
const prices = Object.fromEntries(models.map((one) => [one, 1]))
await admin.option('ModelRatio', prices)
await admin.option('CompletionRatio', Object.fromEntries(models.map((one) => [one, 4])))

function post(path: string, body: object, headers: Record<string, string> = {}) {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  })
}

/** One account, so one token for all that follows. */
let serve: Script = speak({ text: 'Grüße' })
const cloud: VertexCloud = vertexCloud((request, response) => serve(request, response))
const served = () => upstream.requests.filter(({ path }) => path.includes('aiplatform'))
const project = `projects/${account.project_id}`

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(cloud.script)
})

t.test(
  'Claude gets the betas it knows, whole and streamed, in the region of its own',
  async (t) => {
    serve = keeping(vertexClaude, speak({ text: 'Grüße aus Bern' }))
    const body = {
      ...{ model: 'claude-opus-5', max_tokens: 100, temperature: 0.2 },
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      messages: [{ role: 'user', content: 'Where?' }],
    }
    const betas = 'claude-code-20250219,context-management-2025-06-27,oauth-2025-04-20'
    const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': betas }
    for (const stream of [false, true]) {
      const before = await gateway.balance()
      const answer = await post('/v1/messages', { ...body, stream }, headers)
      t.equal(answer.status, 200)
      t.match(await answer.text(), 'Grüße aus Bern')
      t.equal(answer.headers.get('x-waybill-lost'), 'temperature')
      t.equal(before - (await gateway.balance()), 10n + 4n * 2n)
      const verb = stream ? 'streamRawPredict' : 'rawPredict'
      const [sent] = served().slice(-1)
      t.equal(
        sent!.path,
        `/us-east5-aiplatform.googleapis.com/v1/${project}/locations/us-east5/publishers/anthropic/models/claude-opus-5:${verb}`,
      )
      t.equal(sent!.headers['anthropic-beta'], 'context-management-2025-06-27')
      t.match(sent!.json, { anthropic_version: 'vertex-2023-10-16' })
      t.notOk('model' in sent!.json!)
    }
    t.equal(cloud.exchanges(), 1, 'one token serves both')
  },
)

interface Part {
  readonly functionCall?: { readonly id?: string; readonly name: string }
}

const look = { name: 'look', parametersJsonSchema: { type: 'object', properties: {} } }

t.test('[FMT-9] Gemini plays two rounds of tools with a client that has ids', async (t) => {
  const tools = [{ functionDeclarations: [look] }]
  const contents: object[] = [{ role: 'user', parts: [{ text: 'Look.' }] }]
  const rounds = [
    [{ at: 'one' }, { at: 'two' }].map((input, at) => ({ id: `c${at}`, name: 'look', input })),
    [{ id: 'c2', name: 'look', input: { at: 'three' } }],
  ]
  for (const [round, calls] of rounds.entries()) {
    serve = keeping(vertexGemini, speak({ calls }))
    const answer = await post('/v1beta/models/gemini-3-pro:generateContent', { contents, tools })
    t.equal(answer.status, 200)
    const { candidates } = (await answer.json()) as {
      candidates: { content: { parts: Part[] } }[]
    }
    const { parts } = candidates[0]!.content
    const called = parts.map((part, at) => ({
      ...part,
      functionCall: { ...part.functionCall!, id: `client-${round}-${at}` },
    }))
    const results = called.map(({ functionCall: { id, name } }) => {
      return { functionResponse: { id, name, response: { saw: id } } }
    })
    // Clients send results as they come in.
    contents.push({ role: 'model', parts: called }, { role: 'user', parts: results.toReversed() })
  }
  serve = keeping(vertexGemini, speak({ text: 'Seen.' }))
  const last = await post('/v1beta/models/gemini-3-pro:generateContent', { contents, tools })
  t.match(await last.text(), 'Seen.')
  const found = objectsWithin(served().at(-1)!.json).flatMap((one) => one.functionResponse ?? [])
  t.match(
    found,
    ['client-0-0', 'client-0-1', 'client-1-0'].map((saw) => ({ response: { saw } })),
    'results stand in the order of their calls',
  )
  t.match(served().at(-1)!.path, `/v1beta1/${project}/locations/global/publishers/google/`)
})

const atOnce: VendorRule = {
  rule: 'The batch size is out of range: at most 250 instances, and one of gemini-embedding-001',
  source: 'docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api',
  read: '2026-11-21',
  broken: ({ path, json: body }) =>
    listIn(body, 'instances').length > (path.includes('gemini-embedding') ? 1 : 250),
}

const embedding: Script = (request, response) => {
  const predictions = listIn(request.json, 'instances').map(({ content }) => ({
    embeddings: { values: [Number(content)], statistics: { token_count: 2, truncated: false } },
  }))
  return json(200, { predictions })(request, response)
}

for (const [model, texts, calls] of [
  ['text-embedding-005', 251, 2],
  ['gemini-embedding-001', 3, 3],
] as const) {
  t.test(`${texts} texts for ${model} go in ${calls} calls and are charged as one`, async (t) => {
    serve = strictly([atOnce], embedding)
    const before = await gateway.balance()
    const input = Array.from({ length: texts }, (_, at) => String(at))
    const answer = await post('/v1/embeddings', { model, input })
    const { data } = (await answer.json()) as { data: { index: number; embedding: number[] }[] }
    t.same(
      data.map(({ embedding }) => embedding[0]),
      input.map(Number),
      'in the order of the texts',
    )
    t.equal(served().length, calls)
    t.equal(before - (await gateway.balance()), BigInt(2 * texts))
  })
}

t.test('Imagen draws by predict', async (t) => {
  const predictions = [{ mimeType: 'image/png', bytesBase64Encoded: 'iVBORw0KGgo=' }]
  serve = strictly([onlyPrompts], json(200, { predictions }))
  const body = { model: 'imagen-4.0-generate-001', prompt: 'A bear', size: '1792x1024' }
  const answer = await post('/v1/images/generations', body)
  t.match(await answer.json(), { data: [{ b64_json: 'iVBORw0KGgo=' }] })
  t.match(served().at(-1), {
    path: /\/locations\/global\/publishers\/google\/models\/imagen-4\.0-generate-001:predict$/,
    json: { instances: [{ prompt: 'A bear' }], parameters: { aspectRatio: '16:9' } },
  })
})

const onlyPrompts: VendorRule = {
  rule: 'Invalid value: an instance has a prompt, and parameters are the documented ones',
  source: 'docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api',
  read: '2026-11-21',
  broken: ({ json: body }) => {
    const known = ['sampleCount', 'aspectRatio', 'sampleImageSize', 'outputOptions']
    return (
      listIn(body, 'instances').some((one) => Object.keys(one).join() !== 'prompt') ||
      Object.keys(Object(body?.parameters)).some((name) => !known.includes(name))
    )
  },
}

/** A channel of its own, since one whose key fails rests for a while. */
function another(model: string, fields: object): Promise<number> {
  const known = { ...channel, key, name: model, models: model }
  const mapping = JSON.stringify({ [model]: 'gemini-3-pro' })
  return admin.channel({ ...known, model_mapping: mapping, ...fields })
}

const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
async function ask(model: string) {
  const before = await gateway.balance()
  const answer = await post(`/v1beta/models/${model}:generateContent`, hello)
  const text = await answer.text()
  return { status: answer.status, text, cost: before - (await gateway.balance()) }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
const wrongKey = { key: JSON.stringify({ ...account, private_key: pem }), priority: 10 }

t.test('[ERR-2] a key the token service refuses is the channel’s trouble', async (t) => {
  serve = keeping(vertexGemini, speak({ text: 'Hello' }))
  const id = await another('refused', wrongKey)
  const alone = await ask('refused')
  t.equal(alone.status, 502)
  t.match(JSON.parse(alone.text), { error: { code: 'upstream_error' } })
  t.notMatch(alone.text, 'JWT', 'the client reads none of its words')
  t.equal(alone.cost, 0n)
  t.equal(served().length, 0, 'nothing is asked without a token')
  await another('refused', {})
  for (let count = 1; count < 5; count += 1) {
    t.match(await ask('refused'), { status: 200, cost: 18n }, 'another channel answers')
  }
  const { items } = await admin.must('GET', '/api/channel/breakers')
  t.match(items, [
    { channel_id: id, state: 'open', reason: 'Status 400: Invalid JWT Signature. (invalid_grant)' },
  ])
  t.match(await admin.must('GET', `/api/channel/${id}`), { status: 1 }, 'it rests, and stays on')
})

t.test(
  '[S6] a token that ends early is exchanged once more, and the request is sent again with the new one',
  async (t) => {
    serve = keeping(vertexGemini, speak({ text: 'Hello' }))
    await another('expiring', { priority: 10 })
    t.match(await ask('expiring'), { status: 200 })
    const before = cloud.exchanges()
    cloud.expire()
    for (const text of ['one', 'two', 'three']) {
      t.match(await ask('expiring'), { status: 200, cost: 18n }, text)
    }
    t.equal(cloud.exchanges(), before + 1)
    cloud.expire()
    t.match(await ask('expiring'), { status: 502, cost: 0n }, 'once in half a minute')
  },
)
