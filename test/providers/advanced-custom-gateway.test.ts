/** A channel that comes from new-api, with its routes as they were there, through the whole gateway. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import { keptLines } from '../kit/kept-lines.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { listIn, strictly, type VendorRule } from '../kit/vendor.js'

const migrated = readFileSync(
  new URL('../fixtures/advanced-custom/new-api.json', import.meta.url),
  'utf8',
)

/** What the upstream behind such a channel was seen to refuse. */
const rules: readonly VendorRule[] = [
  {
    rule: 'messages[0].role: unknown variant `developer`',
    source: 'github.com/QuantumNous/new-api/issues/6616',
    read: '2026-11-27',
    broken: ({ json: body }) => listIn(body, 'messages').some(({ role }) => role === 'developer'),
  },
]

const lines = keptLines()
const other = await scriptedUpstream(t)
const document: JsonObject = JSON.parse(migrated.replaceAll('https://other.example', other.url))
const gateway = await scriptedGateway(t, { log: lines.log, channel: { name: 'before' } })
const { upstream, url, key, admin, channelId } = gateway
const answered = strictly(rules, json(200, chat.whole('Hello', 10, 2)))

/** As an import writes it: nobody saved it here, so nobody found fault with it. */
async function stored(columns: object): Promise<void> {
  const { knex } = gateway.gateway.service('database')
  const changes = gateway.gateway.service('changes')
  await knex.transaction(async (trx) => {
    await trx('channels').where('id', channelId).update(columns)
    await changes.note(trx, 'channels', channelId)
  })
  await changes.settled()
}

await stored({ type: 58, base_url: `${upstream.url}/v1`, settings: JSON.stringify(document) })

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as JsonObject }
}

t.test('[FMT-9] converters go by the names they have in new-api', async (t) => {
  upstream.script(answered)
  const responses = await post('/v1/responses', {
    model,
    instructions: 'Be brief.',
    input: [
      { role: 'developer', content: 'In English.' },
      { role: 'user', content: 'hello' },
    ],
  })
  t.equal(responses.status, 200)
  t.match(responses.body, { object: 'response', output: [{ content: [{ text: 'Hello' }] }] })
  const messages = await post(
    '/v1/messages',
    { model, max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] },
    { 'anthropic-version': '2023-06-01' },
  )
  t.match(messages, { status: 200, body: { content: [{ type: 'text', text: 'Hello' }] } })
  t.same(
    upstream.requests.map(({ path }) => path),
    ['/v1/chat/completions', '/v1/chat/completions'],
    'the version of the base URL stands once',
  )
  t.match(upstream.requests[0]?.headers, { authorization: 'Bearer upstream-key' })
})

t.test('a route that is a whole address is called there, with its own key', async (t) => {
  other.script(json(200, chat.whole('Elsewhere', 10, 2)))
  const answer = await gateway.chat(ask())
  t.match(await answer.json(), { choices: [{ message: { content: 'Elsewhere' } }] })
  const [sent] = other.requests
  t.equal(sent?.path, `/v1/${model}/chat?deployment=${model}`)
  t.equal(sent?.headers['x-api-key'], 'Key upstream-key')
  t.notOk(sent?.headers.authorization)
})

t.test('[SVC-3] operations take the routes of their paths', async (t) => {
  const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1, 2] }] }
  upstream.script(json(200, { ...vectors, model, usage: { prompt_tokens: 3, total_tokens: 3 } }))
  t.match(await post('/v1/embeddings', { model, input: 'one' }), {
    status: 200,
    body: { data: [{ embedding: [1, 2] }] },
  })
  upstream.script(
    json(200, [
      { score: 0.2, document: 'a', index: 0, meta_info: null },
      { score: 0.7, document: 'b', index: 1, meta_info: null },
    ]),
  )
  t.match(await post('/v1/rerank', { model, query: 'one', documents: ['a', 'b'] }), {
    status: 200,
    body: { results: [{ index: 1, relevance_score: 0.7 }, { index: 0 }] },
  })
  t.same(
    upstream.requests.slice(-2).map(({ path }) => path),
    ['/v1/embeddings', '/v1/ranking'],
  )
})

t.test('an admin’s question goes to the route for it, wherever it leads', async (t) => {
  other.script(json(200, { object: 'list', data: [{ id: 'm-1' }, { id: 'm-2' }] }))
  t.same(await admin.must('GET', `/api/channel/fetch_models/${channelId}`), ['m-1', 'm-2'])
  t.equal(other.requests.at(-1)?.path, '/models')
})

t.test('routes with a fault serve nothing, and the log names them', async (t) => {
  const refused = await post('/v1/completions', { model, prompt: 'Once' })
  t.equal(refused.status, 503)
  const fault =
    'advanced_routes[3].incoming_path is no path this gateway serves; advanced_routes[4].converter is none this gateway knows.'
  t.match(lines.fields('the settings of a channel have a fault'), [{ channelId, fault }])
  const health = () => admin.must('GET', `/api/channel/health?ids=${channelId}`)
  t.match(await health(), [{ fault }], 'and the page of the channel')
  await stored({ name: 'again' })
  t.equal(lines.fields('the settings of a channel have a fault').length, 1, 'once while it stands')
})

t.test('[CHAN-6] a stored fault stops no other edit, and a new document has none', async (t) => {
  const edit = (fields: object) =>
    admin.call('PUT', '/api/channel/', { id: channelId, key: 'upstream-key', ...fields })
  const settings = JSON.stringify(document)
  t.match((await edit({ name: 'renamed', settings })).body, { success: true })
  const worse = JSON.stringify({ ...document, developer_role: 'keep' })
  t.match((await edit({ settings: worse })).body, {
    success: false,
    message: /advanced_routes\[3\]\.incoming_path is no path/,
  })
  const theirs = document.advanced_custom
  const routes =
    isObject(theirs) && Array.isArray(theirs.advanced_routes) ? theirs.advanced_routes : []
  const mended = {
    advanced_custom: { advanced_routes: routes.filter((_, at) => at !== 3 && at !== 4) },
  }
  t.match((await edit({ settings: JSON.stringify(mended) })).body, { success: true })
})

t.test(
  '[CHAN-6] routes are a destination: a stored key follows nobody’s edit of them',
  async (t) => {
    const moved = {
      advanced_custom: {
        advanced_routes: [
          { incoming_path: '/v1/chat/completions', upstream_path: 'https://evil.example/v1' },
        ],
      },
    }
    const answer = await admin.call('PUT', '/api/channel/', {
      id: channelId,
      settings: JSON.stringify(moved),
    })
    t.match(answer.body, { success: false })
    t.match(JSON.stringify(answer.body), /verification_required|channel_key_required/)
  },
)

t.test('Gemini’s embeddings take their own routes, and a path follows the base URL', async (t) => {
  const verbs = ['embedContent', 'batchEmbedContents']
  const advanced_routes = [
    { incoming_path: '/v1/moderations', upstream_path: '/checked' },
    ...verbs.map((verb) => ({
      incoming_path: `/v1beta/models/{model}:${verb}`,
      upstream_path: `${other.url}/v1beta/models/{model}:${verb}`,
      auth: { type: 'header', name: 'x-goog-api-key', value: '{api_key}' },
    })),
  ]
  await stored({ settings: JSON.stringify({ advanced_custom: { advanced_routes } }) })
  upstream.script(json(200, { id: 'modr-1', model, results: [{ flagged: false }] }))
  t.equal((await post('/v1/moderations', { model, input: 'one' })).status, 200)
  t.equal(upstream.requests.at(-1)?.path, '/v1/checked', 'as it is written, version and all')
  const content = (text: string) => ({ content: { parts: [{ text }] } })
  const credential = { 'x-goog-api-key': key }
  other.script(json(200, { embedding: { values: [1, 2] } }))
  t.match(await post(`/v1beta/models/${model}:embedContent`, content('a'), credential), {
    status: 200,
    body: { embedding: { values: [1, 2] } },
  })
  t.match(other.requests.at(-1), {
    path: `/v1beta/models/${model}:embedContent`,
    headers: { 'x-goog-api-key': 'upstream-key' },
    json: { model: `models/${model}`, ...content('a') },
  })
  other.script(json(200, { embeddings: [{ values: [1] }, { values: [2] }] }))
  const many = { requests: [content('a'), content('b')] }
  t.match(await post(`/v1beta/models/${model}:batchEmbedContents`, many, credential), {
    status: 200,
    body: { embeddings: [{ values: [1] }, { values: [2] }] },
  })
  t.match(other.requests.at(-1)?.json, many)
})

t.test(
  'an address that may not be called is not called because a route names it (X1)',
  async (t) => {
    const metadata = 'http://169.254.169.254/v1'
    const route = { incoming_path: '/v1/moderations', upstream_path: metadata }
    await stored({ settings: JSON.stringify({ advanced_custom: { advanced_routes: [route] } }) })
    const refused = await post('/v1/moderations', { model, input: 'one' })
    t.match(refused, { status: 500, body: { error: { code: 'channel:address_refused' } } })
  },
)
