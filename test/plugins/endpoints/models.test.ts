/** The model list in the three forms, each as its clients read it. */
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import t from 'tap'
import { model, scriptedGateway } from '../../kit/scripted-gateway.js'

const slashed = 'org/some-model'
const gateway = await scriptedGateway(t, { channel: { models: `${model},${slashed},unpriced` } })
await gateway.admin.option('ModelRatio', { [model]: 1, [slashed]: 1 })
const { url, key } = gateway
const noModels = await gateway.admin.token({ model_limits_enabled: true, model_limits: 'another' })
const oneModel = await gateway.admin.token({ model_limits_enabled: true, model_limits: slashed })

const bearer = { authorization: `Bearer ${key}` }
const version = { 'anthropic-version': '2023-06-01' }

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${path}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: the forms differ, which is what is tested.
  return { status: answer.status, body: (await answer.json()) as any }
}

t.test('[FMT-14] the OpenAI form, for whoever shows no other', async (t) => {
  for (const path of ['/v1/models', '/v1beta/openai/models']) {
    const { status, body } = await get(path, bearer)
    t.equal(status, 200, path)
    t.strictSame(
      body,
      {
        success: true,
        object: 'list',
        data: [model, slashed].map((id) => ({
          id,
          object: 'model',
          created: 1_626_777_600,
          owned_by: 'waybill',
          supported_endpoint_types: ['openai', 'openai-response', 'anthropic', 'gemini'],
        })),
      },
      path,
    )
  }
})

t.test('[FMT-14] the messages form, for whoever names a version', async (t) => {
  for (const credential of [{ 'x-api-key': key }, bearer]) {
    const { body } = await get('/v1/models', { ...credential, ...version })
    t.strictSame(body, {
      data: [model, slashed].map((id) => ({
        type: 'model',
        id,
        display_name: id,
        created_at: '2021-07-20T10:40:00.000Z',
      })),
      first_id: model,
      last_id: slashed,
      has_more: false,
    })
  }
})

t.test('[FMT-14] in the messages form an empty list is data [] and has_more false', async (t) => {
  const { status, body } = await get('/v1/models', { 'x-api-key': noModels.key, ...version })
  t.equal(status, 200)
  t.strictSame(body, { data: [], first_id: null, last_id: null, has_more: false })
  t.strictSame((await get(`/v1beta/models?key=${noModels.key}`)).body, { models: [] })
})

t.test('[FMT-14] the generative form, at its path and for its keys', async (t) => {
  const expected = {
    models: [model, slashed].map((name) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    })),
  }
  t.strictSame((await get(`/v1beta/models?key=${key}`)).body, expected)
  t.strictSame((await get('/v1beta/models', { 'x-goog-api-key': key })).body, expected)
  t.strictSame((await get('/v1beta/models', bearer)).body, expected)
  t.strictSame((await get('/v1/models', { 'x-goog-api-key': key })).body, expected)
  t.strictSame((await get(`/v1/models?key=${key}`)).body, expected)
})

t.test('[FMT-14] one model by name, a name with a slash too', async (t) => {
  for (const spelled of [slashed, slashed.replace('/', '%2F')]) {
    t.match((await get(`/v1/models/${spelled}`, bearer)).body, { id: slashed, object: 'model' })
    t.match((await get(`/v1/models/${spelled}`, { ...bearer, ...version })).body, {
      id: slashed,
      type: 'model',
    })
    const { body } = await get(`/v1beta/models/${spelled}?key=${key}`)
    t.match(body, { name: `models/${slashed}` })
    t.match((await get(`/v1beta/openai/models/${spelled}`, bearer)).body, { id: slashed })
  }
  t.equal((await get(`/v1/models/${model}`, { 'x-api-key': oneModel.key })).status, 404)
})

t.test('[FMT-14] an unknown model is a 404 in the frame of who asks', async (t) => {
  const code = 'model_not_found'
  const openai = await get('/v1/models/nothing', bearer)
  t.equal(openai.status, 404)
  t.match(openai.body, { type: undefined, error: { code, param: 'model', type: String } })
  const messages = await get('/v1/models/nothing', { ...bearer, ...version })
  t.equal(messages.status, 404)
  t.match(messages.body, { type: 'error', error: { code, type: 'not_found_error' } })
  const generative = await get(`/v1beta/models/nothing?key=${key}`)
  t.equal(generative.status, 404)
  t.match(generative.body, { error: { code, status: 'NOT_FOUND' } })
  t.equal((await get('/v1/models/unpriced', bearer)).status, 404, 'nobody could pay for it')
})

t.test('[AUTH-1] the list needs a key, and states so in the frame of who asks', async (t) => {
  const wrong = 'sk-wrong'
  t.match(await get('/v1/models'), { status: 401, body: { error: { code: 'missing_credential' } } })
  t.match(await get('/v1/models', version), {
    status: 401,
    body: { type: 'error', error: { type: 'authentication_error' } },
  })
  t.match(await get('/v1/models', { 'x-api-key': wrong, ...bearer }), { status: 401 })
  t.match(await get(`/v1beta/models?key=${wrong}`), {
    status: 401,
    body: { error: { status: 'UNAUTHENTICATED', code: 'invalid_api_key' } },
  })
})

t.test('[FMT-14] each maker’s own client reads its list to the end', async (t) => {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const anthropic = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const ids: (string | undefined)[][] = [[], [], []]
  for await (const { id } of openai.models.list()) ids[0]!.push(id)
  for await (const { id } of anthropic.models.list()) ids[1]!.push(id)
  for await (const { name } of await google.models.list()) ids[2]!.push(name)
  t.strictSame(ids, [
    [model, slashed],
    [model, slashed],
    [`models/${model}`, `models/${slashed}`],
  ])
  t.equal((await openai.models.retrieve(model)).id, model)
  t.equal((await anthropic.models.retrieve(slashed)).display_name, slashed)
  t.equal((await google.models.get({ model })).displayName, model)
  await t.rejects(openai.models.retrieve('nothing'), { code: 'model_not_found' })
  await t.rejects(anthropic.models.retrieve('nothing'), Anthropic.NotFoundError)
})

t.test('[FMT-14] entries name the owner and the uses, and hide what is switched off', async (t) => {
  const { admin } = gateway
  const { id: vendor_id } = await admin.must('POST', '/api/vendors/', { name: 'Acme' })
  const entry = { model_name: 'org/', name_rule: 1, vendor_id, endpoints: '["embeddings"]' }
  const { id } = await admin.must('POST', '/api/models/', entry)
  t.match((await get('/v1/models', bearer)).body.data, [
    { id: model, owned_by: 'waybill' },
    { id: slashed, owned_by: 'Acme', supported_endpoint_types: ['embeddings'] },
  ])
  t.match((await get(`/v1beta/models?key=${key}`)).body.models[1], {
    name: `models/${slashed}`,
    supportedGenerationMethods: [],
  })
  await admin.must('PUT', '/api/vendors/', { id: vendor_id, status: 0 })
  t.equal((await get(`/v1/models/${slashed}`, bearer)).body.owned_by, 'waybill')

  await admin.must('PUT', '/api/models/?status_only=true', { id, status: 0 })
  t.strictSame(
    (await get('/v1/models', bearer)).body.data.map((one: { id: string }) => one.id),
    [model],
  )
  t.equal((await get(`/v1/models/${slashed}`, bearer)).status, 404)
  t.strictSame((await get('/v1/models', { ...bearer, ...version })).body.last_id, model)
  await admin.must('DELETE', `/api/models/${id}`)
  t.equal((await get(`/v1/models/${slashed}`, bearer)).status, 200)
})
