/** The Vertex provider: where each maker's models are called, the token of a service account, and how refusals are read. */
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter, AddressContext, UpstreamRequest } from '../../kernel/contract/provider.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'
import create from '../../providers/vertex/index.js'
import { adapterOf } from '../conformance/provider.js'
import { account, key, publicKey } from './vertex-account.js'

const provider = create()
const gemini = adapterOf(provider, 'chat', 'generative')
const claude = adapterOf(provider, 'chat', 'messages')
const [, , openModels, mistral] = provider.operations.chat as readonly Adapter[]
const embeddings = adapterOf(provider, 'embeddings')
const images = adapterOf(provider, 'images')
const token = 'ya29.token'

const channel = (region = 'global', baseUrl = 'https://aiplatform.googleapis.com') => ({
  id: 1,
  type: 41,
  baseUrl,
  settings: { region },
})

function context(model: string, over: Partial<AddressContext> = {}): AddressContext {
  return { now: 0, forwarded: { headers: {} }, model, stream: false, ...over }
}

const project = 'projects/my-project-7/locations'

t.test('models go to their maker’s path, streamed and whole', async (t) => {
  const at = (adapter: Adapter, model: string, stream = false) =>
    adapter.address(
      { kind: 'json', value: { model } },
      channel(),
      { key, token },
      context(model, { stream }),
    )
  const base = 'https://aiplatform.googleapis.com'
  const rows: [Adapter, string, boolean, string][] = [
    [gemini, 'gemini-2.5-pro', false, 'v1beta1:google/models/gemini-2.5-pro:generateContent'],
    [
      gemini,
      'google/gemini-3-flash',
      true,
      'v1beta1:google/models/gemini-3-flash:streamGenerateContent?alt=sse',
    ],
    [
      claude,
      'claude-sonnet-4-5@20250929',
      false,
      'v1:anthropic/models/claude-sonnet-4-5%4020250929:rawPredict',
    ],
    [
      claude,
      'anthropic/claude-opus-4-6',
      true,
      'v1:anthropic/models/claude-opus-4-6:streamRawPredict',
    ],
    [mistral!, 'mistral-medium-3', false, 'v1:mistralai/models/mistral-medium-3:rawPredict'],
    [mistral!, 'codestral-2', true, 'v1:mistralai/models/codestral-2:streamRawPredict'],
    [embeddings, 'text-embedding-005', false, 'v1:google/models/text-embedding-005:predict'],
    [images, 'imagen-4.0-generate-001', false, 'v1:google/models/imagen-4.0-generate-001:predict'],
  ]
  for (const [adapter, model, stream, place] of rows) {
    const [version, path] = [
      place.slice(0, place.indexOf(':')),
      place.slice(place.indexOf(':') + 1),
    ]
    const { url, headers } = at(adapter, model, stream)
    t.equal(url, `${base}/${version}/${project}/global/publishers/${path}`)
    t.equal(headers.authorization, `Bearer ${token}`)
    t.equal(headers.accept, stream ? 'text/event-stream' : 'application/json')
  }
  t.equal(
    at(openModels!, 'deepseek-ai/deepseek-v3.1-maas').url,
    `${base}/v1/${project}/global/endpoints/openapi/chat/completions`,
  )
  t.throws(() => at(gemini, 'gemini/../x'), { code: 'invalid_request' })
})

t.test('each model is served by one adapter', async (t) => {
  const rows: [string, Adapter][] = [
    ['gemini-2.5-flash', gemini],
    ['google/gemini-2.5-flash', gemini],
    ['claude-haiku-4-5', claude],
    ['anthropic/claude-haiku-4-5', claude],
    ['meta/llama-4-maverick', openModels!],
    ['openai/gpt-oss-120b-maas', openModels!],
    ['mistralai/mistral-small-2503', mistral!],
    ['codestral-2', mistral!],
  ]
  const all = provider.operations.chat as readonly Adapter[]
  for (const [model, adapter] of rows) {
    const serving = all.filter((one) => one.serves?.(channel(), model))
    t.ok(serving.length === 1 && serving[0] === adapter, model)
  }
  t.notOk(embeddings.serves?.(channel(), 'gemini-2.5-pro'))
  t.ok(embeddings.serves?.(channel(), 'text-multilingual-embedding-002'))
  t.notOk(images.serves?.(channel(), 'gemini-2.5-flash-image'))
})

t.test('a region has its host, and a model may have its region', async (t) => {
  const url = (region: string, model = 'claude-sonnet-4-5', baseUrl?: string) =>
    claude.address({ kind: 'none' }, channel(region, baseUrl), { key, token }, context(model)).url
  const by = JSON.stringify({ default: 'europe-west4', 'claude-opus-4-6': 'us-east5' })
  const rows = [
    ['global', 'aiplatform.googleapis.com', 'global'],
    ['', 'aiplatform.googleapis.com', 'global'],
    ['us-east5', 'us-east5-aiplatform.googleapis.com', 'us-east5'],
    ['us', 'aiplatform.us.rep.googleapis.com', 'us'],
    ['eu', 'aiplatform.eu.rep.googleapis.com', 'eu'],
    [by, 'europe-west4-aiplatform.googleapis.com', 'europe-west4'],
  ] as const
  for (const [region, host, location] of rows) {
    const message = url(region)
    t.ok(message.startsWith(`https://${host}/v1/${project}/${location}/`), region)
    t.ok(mayReach(message, channel().baseUrl, ['channel', '*.googleapis.com']))
  }
  t.match(url(by, 'claude-opus-4-6'), 'us-east5-aiplatform')
  t.match(url(by, 'anthropic/claude-opus-4-6'), 'us-east5-aiplatform')
  t.match(
    url('us-east5', 'claude-x', 'https://proxy.example/vertex/'),
    /^https:\/\/proxy\.example\/vertex\/v1\/projects/,
  )
  for (const bad of ['evil.com/', 'us-east5.evil', '{"default":', '{"default":7}', 'US']) {
    t.throws(() => url(bad), { code: 'channel:address_refused' }, bad)
    t.type(provider.faultOf!({ region: bad }), 'string', bad)
  }
  for (const good of ['global', '', by, undefined]) {
    t.equal(provider.faultOf!({ region: good }), undefined)
  }
})

t.test('an API key goes in a header, to the global host, without project', async (t) => {
  const { url, headers } = gemini.address(
    { kind: 'none' },
    channel('us-east5'),
    { key: 'AIzaKey ' },
    context('gemini-2.5-pro'),
  )
  t.equal(
    url,
    'https://aiplatform.googleapis.com/v1beta1/publishers/google/models/gemini-2.5-pro:generateContent',
  )
  t.equal(headers['x-goog-api-key'], 'AIzaKey')
  t.notOk('authorization' in headers)
})

t.test(
  'Claude is sent its body without the model and with the version, betas in a header',
  async (t) => {
    const wire = { model: 'claude-opus-4-6', stream: true, max_tokens: 5, temperature: 0 }
    const forwarded = { headers: { 'anthropic-beta': 'context-1m-2025-08-07' } }
    const { body, headers } = claude.address(
      { kind: 'json', value: wire },
      channel(),
      { key, token },
      context(wire.model, { stream: true, forwarded }),
    )
    t.same(JSON.parse(String(body)), {
      stream: true,
      max_tokens: 5,
      temperature: 0,
      anthropic_version: 'vertex-2023-10-16',
    })
    t.equal(headers['anthropic-beta'], 'context-1m-2025-08-07')
    const bytes = Buffer.from('{"model":"claude-opus-4-6","top_k":9007199254740993}')
    const verbatim = claude.address(
      { kind: 'json', value: JSON.parse(bytes.toString()), bytes },
      channel(),
      { key, token },
      context('claude-opus-4-6'),
    )
    t.match(String(verbatim.body), '"top_k":9007199254740993')
  },
)

t.test('Mistral is named without its maker, open models with it', async (t) => {
  const sent = (adapter: Adapter, model: string) =>
    adapter.address({ kind: 'json', value: { model } }, channel(), { key, token }, context(model))
      .body
  t.equal(sent(mistral!, 'mistralai/codestral-2'), '{"model":"codestral-2"}')
  t.equal(sent(mistral!, 'codestral-2'), undefined, 'the client’s own bytes')
  t.equal(sent(openModels!, 'meta/llama-4'), undefined)
  t.equal(mistral!.requestsUsage, false)
})

t.test(
  '[FMT-6] Mistral gets the limit under the name it takes, and no field it refuses',
  async (t) => {
    const limit = (wire: JsonObject) => mistral!.adjust!(wire, channel())
    t.same(limit({ max_completion_tokens: 7, max_tokens: 5, x: 0 }), { max_tokens: 7, x: 0 })
    t.same(limit({ max_completion_tokens: 0, max_tokens: 5 }), { max_tokens: 5 })
    t.same(limit({ max_completion_tokens: 0 }), { max_tokens: 0 })
    t.same(limit({ stream_options: { include_usage: true } }), {})
    const plain = { max_tokens: 0 }
    t.equal(limit(plain), plain)
  },
)

t.test('a turn of Gemini’s without a role is the user’s', async (t) => {
  const parts = [{ text: 'x' }]
  const adjusted = gemini.adjust!({ contents: [{ parts }, { role: 'model', parts }] }, channel())
  t.same(adjusted.contents, [
    { role: 'user', parts },
    { role: 'model', parts },
  ])
  for (const contents of [[{ role: 'user', parts }], 'x', undefined]) {
    const wire = { contents }
    t.equal(gemini.adjust!(wire, channel()), wire)
  }
})

t.test('thinking budgets become efforts for the models that take none', async (t) => {
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  for (const [model, takes] of [
    ['claude-sonnet-4-5@20250929', true],
    ['claude-opus-4-6@default', true],
    ['claude-opus-4-7', false],
  ] as const) {
    const wire = { model, thinking }
    const adjusted = claude.adjust!(wire, channel())
    if (takes) t.equal(adjusted, wire, model)
    else t.match(adjusted, { output_config: { effort: 'low' } })
  }
})

const now = 1_795_291_200_123

function exchanged(answer: Partial<WholeAnswer>, accountKey = key) {
  const calls: UpstreamRequest[] = []
  const authorized = provider.authorize!(accountKey, channel(), {
    now,
    async fetch(request) {
      calls.push(request)
      return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer }
    },
  })
  return { calls, authorized }
}

const granted = { body: Buffer.from('{"access_token":"ya29.new","expires_in":3599}') }

t.test('a service account signs a statement that is exchanged for a token', async (t) => {
  const { calls, authorized } = exchanged(granted)
  t.same(await authorized, { key, token: 'ya29.new', expiresAt: now + 3_599_000 })
  const [call] = calls
  t.equal(call?.url, 'https://oauth2.googleapis.com/token', 'whatever the account states')
  t.ok(mayReach(call!.url, channel().baseUrl, ['channel', '*.googleapis.com']))
  const form = new URLSearchParams(String(call?.body))
  t.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header = '', claims = '', signature = ''] = form.get('assertion')!.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  t.same(read(header), { alg: 'RS256', typ: 'JWT', kid: 'kid-1' })
  t.same(read(claims), {
    iss: account.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: 'https://oauth2.googleapis.com/token',
    iat: 1_795_291_200,
    exp: 1_795_294_800,
  })
  const signed = Buffer.from(`${header}.${claims}`)
  t.ok(verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url')))
  t.notOk(
    verify('RSA-SHA256', Buffer.from('other'), publicKey, Buffer.from(signature, 'base64url')),
  )
  t.notOk(String(call?.body).includes('PRIVATE'), 'the key stays here')
})

t.test('accounts come in several spellings', async (t) => {
  const escaped = { ...account, private_key: account.private_key.replaceAll('\n', '\\n') }
  for (const spelled of [JSON.stringify([account]), ` ${key} `, JSON.stringify(escaped)]) {
    t.match(await exchanged(granted, spelled).authorized, { token: 'ya29.new' })
  }
  const plain = exchanged(granted, 'AIzaKey')
  t.same(await plain.authorized, { key: 'AIzaKey' })
  t.equal(plain.calls.length, 0)
})

t.test('what cannot be an account is an invalid key and goes nowhere', async (t) => {
  const bad: JsonObject[] = [
    { ...account, private_key: 'not a key' },
    { ...account, private_key: undefined },
    { ...account, project_id: '../other' },
    { type: 'authorized_user', refresh_token: 'x' },
  ]
  for (const written of [...bad.map((one) => JSON.stringify(one)), '{', `[${key},${key}]`]) {
    const { calls, authorized } = exchanged(granted, written)
    await t.rejects(authorized, { code: 'channel:invalid_key' })
    t.equal(calls.length, 0)
  }
})

t.test(
  'an exchange that is refused is the channel’s or the service’s fault, never the client’s',
  async (t) => {
    const invalid = '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}'
    const rows = [
      [400, invalid, 'channel'],
      [401, '{"error":"invalid_client"}', 'channel'],
      [429, '', 'channel'],
      [500, '<html>', 'upstream'],
      [200, '{"no":"token"}', 'upstream'],
      [200, 'no JSON', 'upstream'],
    ] as const
    for (const [status, body, blame] of rows) {
      const answer = await exchanged({ status, body: Buffer.from(body) }).authorized
      t.match(answer, { failure: { blame, status } }, `${status} ${body}`)
      const failure = 'failure' in answer ? answer.failure : undefined
      t.notMatch(failure?.message, 'Invalid JWT', 'clients read none of it')
      if (body === invalid)
        t.equal(failure?.upstreamMessage, 'Invalid JWT Signature. (invalid_grant)')
    }
  },
)

function refused(status: number, body: object) {
  return gemini.fail(status, {}, Buffer.from(JSON.stringify(body)))
}

t.test('[ERR-2] a refusal states whose fault it is and nothing of the project', async (t) => {
  const exhausted = readFileSync(new URL('../fixtures/vertex/exhausted.json', import.meta.url))
  t.match(gemini.fail(429, {}, exhausted), { blame: 'channel', status: 429, retryAfterMs: 12_500 })
  const named = 'The model `projects/my-project-7/locations/us-east5/publishers/x` takes no image.'
  const result = refused(400, { error: { status: 'INVALID_ARGUMENT', message: named } })
  t.match(result, { blame: 'client', type: 'INVALID_ARGUMENT' })
  t.notMatch(result.message, 'my-project-7')
  const region = 'Publisher model claude-x is not servable in region us-west1.'
  t.match(refused(400, { error: { status: 'INVALID_ARGUMENT', message: region } }), {
    blame: 'channel',
  })
  const field = { field: 'contents[0].parts', description: 'x' }
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [field] },
  ]
  t.match(refused(400, { error: { message: 'Bad', details } }), { param: 'contents[0].parts' })
  const claudes = { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } }
  t.match(refused(400, claudes), { blame: 'client', type: 'invalid_request_error' })
  const list = [{ error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } }]
  t.match(refused(429, list), { blame: 'channel', status: 429 })
})

t.test('embeddings are requested text by text', async (t) => {
  const shaped = (value: JsonObject) =>
    embeddings.shape!({ kind: 'json', value }, channel(), 'text-embedding-005')
  t.same(shaped({ input: 'a', dimensions: 0, task_type: 'RETRIEVAL_QUERY' }), {
    kind: 'json',
    value: {
      instances: [{ content: 'a', task_type: 'RETRIEVAL_QUERY' }],
      parameters: { outputDimensionality: 0 },
    },
  })
  t.same(shaped({ input: ['a', 'b'] }), {
    kind: 'json',
    value: { instances: [{ content: 'a' }, { content: 'b' }] },
  })
  t.throws(() => shaped({ input: [[1, 2]] }), { code: 'not_expressible', param: 'input' })
})

t.test('embeddings come packed where a client asks for that', async (t) => {
  const body = readFileSync(new URL('../fixtures/vertex/embeddings.json', import.meta.url))
  const request = { kind: 'json', value: { encoding_format: 'base64' } } as const
  const answer = embeddings.answer!({ status: 200, headers: {}, body }, request, 'm')
  const { data } = (answer as { json: { data: { embedding: string }[] } }).json
  const bytes = Buffer.from(data[0]!.embedding, 'base64')
  t.same(
    [0, 4, 8].map((at) => bytes.readFloatLE(at)),
    [0.5, -0.25, 1],
  )
})

t.test(
  'an image is requested by ratio and class, and reported as a client requested it',
  async (t) => {
    const parameters = (value: JsonObject) => {
      const body = images.shape!({ kind: 'json', value }, channel(), 'imagen-4.0-generate-001')
      return (body as { value: JsonObject }).value.parameters
    }
    t.same(parameters({ prompt: 'x' }), { sampleCount: 1 })
    t.same(parameters({ prompt: 'x', n: 3, size: '1024x1536', quality: 'hd' }), {
      sampleCount: 3,
      aspectRatio: '3:4',
      sampleImageSize: '2K',
    })
    t.same(
      parameters({ prompt: 'x', size: '16:9', output_format: 'jpeg', output_compression: 80 }),
      {
        sampleCount: 1,
        aspectRatio: '16:9',
        outputOptions: { mimeType: 'image/jpeg', compressionQuality: 80 },
      },
    )
    t.match(parameters({ prompt: 'x', size: '1792x1024' }), { aspectRatio: '16:9' })
    t.throws(() => parameters({ prompt: 'x', size: 'large' }), {
      code: 'not_expressible',
      param: 'size',
    })
    t.throws(() => parameters({ prompt: 'x', size: '0x0' }), {
      code: 'not_expressible',
      param: 'size',
    })
    t.throws(() => parameters({ prompt: 'x', stream: true }), {
      code: 'not_expressible',
      param: 'stream',
    })
    const body = readFileSync(new URL('../fixtures/vertex/imagen.json', import.meta.url))
    const request = { kind: 'json', value: { response_format: 'url' } } as const
    const answer = images.answer!({ status: 200, headers: {}, body }, request, 'imagen')
    t.match(answer, { json: { data: [{ url: 'data:image/png;base64,iVBORw0KGgo=' }] } })
  },
)

t.test('tokens are counted at the path of the maker, Claude by the name in the body', (t) => {
  const [ofClaude, ofGemini] = provider.operations.count as readonly Adapter[]
  const wire = { model: 'anthropic/claude-opus-4-6', messages: [] }
  const claudes = ofClaude!.address(
    { kind: 'json', value: wire },
    channel('us-east5'),
    { key, token },
    context('anthropic/claude-opus-4-6'),
  )
  t.ok(claudes.url.endsWith('/publishers/anthropic/models/count-tokens:rawPredict'))
  t.match(claudes.url, '/locations/us-east5/')
  t.match(JSON.parse(String(claudes.body)), { model: 'claude-opus-4-6', messages: [] })
  t.strictSame(ofClaude!.refuses?.({ ...wire, max_tokens: 1 }, channel(), 'claude-opus-4-6'), [
    'max_tokens',
  ])
  const contents = [{ role: 'user', parts: [{ text: 'a' }] }]
  const geminis = ofGemini!.address(
    { kind: 'json', value: { contents, safetySettings: [], systemInstruction: { parts: [] } } },
    channel('us-east5'),
    { key, token },
    context('gemini-2.5-pro'),
  )
  t.ok(geminis.url.endsWith('/publishers/google/models/gemini-2.5-pro:countTokens'))
  t.strictSame(JSON.parse(String(geminis.body)), { contents, systemInstruction: { parts: [] } })
  t.notOk(ofGemini!.serves!(channel(), 'gemini-2.5-pro', 'messages'))
  t.notOk(ofClaude!.serves!(channel(), 'gemini-2.5-pro', 'messages'))
  t.end()
})
