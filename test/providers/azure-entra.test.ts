/** The Azure provider with a service principal in place of a key: the exchange, its clouds and its refusals. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../kernel/contract/provider.js'
import { operatorMessage } from '../../kernel/toolkit/errors/index.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'
import create from '../../providers/azure/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, manifestOf } from './provider-kit.js'

const provider = create()
const manifest = manifestOf('azure')
const host = 'https://house.openai.azure.com'
const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
const clientId = '535fb089-9ff3-47b6-9bfb-4f1264799865'
const secret = 'qWg8Q~dYAmab0YSkuL1qKv5bPX'
const key = `${tenant}|${clientId}|${secret}`
const now = 1_795_291_200_000

const granted = {
  body: Buffer.from('{"token_type":"Bearer","expires_in":3599,"access_token":"eyJ"}'),
}

function exchanged(
  answer: Partial<WholeAnswer>,
  { written = key, settings = {} as JsonObject, baseUrl = host } = {},
) {
  const calls: UpstreamRequest[] = []
  const authorized = provider.authorize!(written, channelOf(manifest, settings, baseUrl), {
    now,
    async fetch(request) {
      calls.push(request)
      return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer }
    },
  })
  return { calls, authorized }
}

const scopeOf = ([call]: readonly UpstreamRequest[]) =>
  new URLSearchParams(String(call?.body)).get('scope')

t.test('a service principal is exchanged for a token at its tenant', async (t) => {
  const { calls, authorized } = exchanged(granted)
  t.same(await authorized, { key, token: 'eyJ', expiresAt: now + 3_599_000 })
  t.equal(calls.length, 1)
  t.match(calls[0], {
    method: 'POST',
    url: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.ok(mayReach(calls[0]!.url, host, manifest.hosts))
  t.same(Object.fromEntries(new URLSearchParams(String(calls[0]?.body))), {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    scope: 'https://cognitiveservices.azure.com/.default',
  })
  t.notMatch(calls[0]?.url, secret, 'the secret stands in no address')
})

t.test('a secret may hold any character, and a tenant may be a domain', async (t) => {
  const { calls, authorized } = exchanged(granted, { written: 'house.example | app | a|b&c=~ ' })
  t.match(await authorized, { token: 'eyJ' })
  t.match(calls[0]?.url, '/house.example/oauth2/')
  t.equal(new URLSearchParams(String(calls[0]?.body)).get('client_secret'), 'a|b&c=~')
})

t.test('an API key is exchanged for nothing', async (t) => {
  const { calls, authorized } = exchanged(granted, { written: '84c5b2a7d1' })
  t.same(await authorized, { key: '84c5b2a7d1' })
  t.equal(calls.length, 0)
})

t.test('what is no whole principal is an invalid key and goes nowhere', async (t) => {
  const written = [
    'a|b',
    '|b|c',
    'a||c',
    'a|b|',
    '../x|b|c',
    'a/b|b|c',
    'a?b|b|c',
    'a b|b|c',
    '.|b|c',
  ]
  for (const one of written) {
    const { calls, authorized } = exchanged(granted, { written: one })
    await t.rejects(authorized, { code: 'channel:invalid_key' }, one)
    t.equal(calls.length, 0)
  }
})

t.test('clouds have token services and scopes of their own', async (t) => {
  const rows: [string, JsonObject, string, string][] = [
    ['https://h.openai.azure.us', {}, 'microsoftonline.us', 'https://cognitiveservices.azure.us'],
    ['https://h.services.ai.azure.us', {}, 'microsoftonline.us', 'https://ai.azure.us'],
    [
      'https://h.openai.azure.cn',
      {},
      'partner.microsoftonline.cn',
      'https://cognitiveservices.azure.cn',
    ],
    ['https://h.services.ai.azure.com', {}, 'microsoftonline.com', 'https://ai.azure.com'],
    [
      'https://own.example',
      { cloud: 'us-government' },
      'microsoftonline.us',
      'https://cognitiveservices.azure.us',
    ],
    ['https://own.example', {}, 'microsoftonline.com', 'https://cognitiveservices.azure.com'],
    [host, { token_scope: ' api://own/.default ' }, 'microsoftonline.com', 'api://own'],
  ]
  for (const [baseUrl, settings, login, scope] of rows) {
    const { calls, authorized } = exchanged(granted, { settings, baseUrl })
    await authorized
    t.match(calls[0]?.url, `https://login.${login}/${tenant}/`, baseUrl)
    t.equal(scopeOf(calls), `${scope}/.default`, baseUrl)
    t.ok(mayReach(calls[0]!.url, baseUrl, manifest.hosts), baseUrl)
  }
})

t.test(
  '[ERR-2] a refused exchange is the channel’s or the service’s fault; the operator reads why',
  async (t) => {
    const described = (error: string, description: string) =>
      JSON.stringify({
        error,
        error_description: `${description}\r\nTrace ID: 255d1aef-8c98-452f-ac51-23d051240864\r\nTimestamp: 2026-11-27 02:02:12Z`,
        error_codes: [1],
      })
    const wrongSecret = described(
      'invalid_client',
      `AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app.`,
    )
    const rows = [
      [401, wrongSecret, 'channel', /AADSTS7000215: Invalid client secret.*\(invalid_client\)$/],
      [400, described('invalid_scope', 'AADSTS70011: No.'), 'channel', /AADSTS70011: No\. \(inv/],
      [400, described('invalid_request', 'AADSTS90002: Tenant'), 'channel', /AADSTS90002/],
      [400, '<html>', 'channel', /^/],
      [429, '', 'channel', /^/],
      [503, described('temporarily_unavailable', 'AADSTS90033: Later.'), 'upstream', /AADSTS90033/],
      [200, '{"no":"token"}', 'upstream', /^/],
      [200, 'no JSON', 'upstream', /^/],
    ] as const
    for (const [status, body, blame, words] of rows) {
      const answer = await exchanged({ status, body: Buffer.from(body) }).authorized
      t.match(answer, { failure: { blame, status } }, `${status} ${body}`)
      if (!('failure' in answer)) throw new Error('It was exchanged.')
      t.match(operatorMessage(answer.failure), words)
      t.notMatch(answer.failure.message, 'AADSTS', 'clients read none of it')
      t.notMatch(JSON.stringify(answer), /Trace ID|2026-11-27/)
    }
  },
)

t.test('the token goes out as a bearer in every call, and the key nowhere', async (t) => {
  const channel = channelOf(manifest, {}, host)
  const credentials = { key, token: 'eyJ' }
  for (const [operation, format] of [
    ['chat'],
    ['chat', 'responses'],
    ['chat', 'messages'],
    ['embeddings'],
  ] as const) {
    const adapter = adapterOf(provider, operation, format)
    const { url, headers } = adapter.address(json({}), channel, credentials, context('m'))
    t.equal(headers.authorization, 'Bearer eyJ')
    t.equal(headers['api-key'] ?? headers['x-api-key'], undefined)
    t.notMatch(url + JSON.stringify(headers), secret)
  }
  const { headers } = adapterOf(provider, 'realtime').socket!(channel, credentials, context('m'))
  t.same(headers, { authorization: 'Bearer eyJ' })
})

t.test('settings that lead nowhere are refused when they are saved', async (t) => {
  const settings = (over: JsonObject) => provider.faultOf!({ token_scope: '', ...over })
  t.equal(settings({ deployment_models: { house: 'gpt-5.5' } }), undefined)
  t.match(settings({ deployment_models: { house: 5 } }), /deployment "house"/)
  t.equal(settings({ token_scope: 'https://ai.azure.com/.default' }), undefined)
  t.match(settings({ token_scope: 'https://ai.azure.com' }), /scope/)
})
