/** The Bedrock provider: keys, signatures, addresses, the body Claude is sent, and how refusals are read. */
import { createHash, createHmac } from 'node:crypto'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter, AddressContext } from '../../kernel/contract/provider.js'
import create from '../../providers/bedrock/index.js'
import { readKey } from '../../providers/bedrock/key.js'
import { signedHeaders } from '../../providers/bedrock/sign.js'
import { adapterOf } from '../conformance/provider.js'
import { servingAll } from './bedrock-adapters.js'

const claude: Adapter = adapterOf(create(), 'chat', 'messages')
const manifestBase = 'https://bedrock-runtime.{region}.amazonaws.com'
const channel = { id: 1, type: 33, baseUrl: manifestBase, settings: { region: 'us-west-2' } }
const pair = 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1'
const model = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

/** 2015-08-30T12:36:00Z, the moment of the published examples. */
const now = 1_440_938_160_000

function context(over: Partial<AddressContext> = {}): AddressContext {
  return { now, forwarded: { headers: {} }, model, stream: false, ...over }
}

function addressed(value: JsonObject, over: Partial<AddressContext> = {}, key = pair) {
  return claude.address({ kind: 'json', value }, channel, { key }, context(over))
}

function sentBody(value: JsonObject, over: Partial<AddressContext> = {}, settings = {}) {
  const place = { ...channel, settings: { ...channel.settings, ...settings } }
  const { body } = claude.address({ kind: 'json', value }, place, { key: pair }, context(over))
  return JSON.parse(String(body))
}

t.test('a key states by its form what it is', async (t) => {
  t.same(readKey(' AK | SK |eu-west-1', channel), {
    kind: 'signing',
    accessKeyId: 'AK',
    secretAccessKey: 'SK',
    region: 'eu-west-1',
    sessionToken: undefined,
  })
  t.match(readKey('AK|SK|us-gov-west-1|FwoGZXIvYXdzE//token==', channel), {
    region: 'us-gov-west-1',
    sessionToken: 'FwoGZXIvYXdzE//token==',
  })
  t.same(readKey('ABSKQmVkcm9jaw==', channel), {
    kind: 'api',
    apiKey: 'ABSKQmVkcm9jaw==',
    region: 'us-west-2',
  })
  t.match(readKey('bedrock-api-key-x|ap-northeast-1', channel), { region: 'ap-northeast-1' })
  const bad = ['', '|', 'AK|SK|', 'AK||us-east-1', 'AK|SK|us-east-1|t|more', 'AK|SK|evil.com/x']
  for (const key of [...bad, 'AK|SK|us-east-1@evil', 'key|local']) {
    t.throws(() => readKey(key, channel), { code: 'channel:invalid_key' }, key)
  }
  t.throws(() => readKey('key', { ...channel, settings: { region: 'x/../y' } }))
  t.type(create().faultOf!({ region: 'x/../y' }), 'string')
  t.equal(create().faultOf!({ region: 'eu-west-3' }), undefined)
  t.equal(create().faultOf!({}), undefined)
})

/** The published signatures of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html and its test suite. */
t.test('signatures are those of the published examples', async (t) => {
  const terms = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    now,
  }
  const url = 'https://example.amazonaws.com/'
  const rows = [
    [
      { method: 'GET', url, headers: {} },
      'service',
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    [
      { method: 'POST', url, headers: {} },
      'service',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'Param1=value1',
      },
      'service',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
    [
      {
        method: 'GET',
        url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      },
      'iam',
      '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    ],
  ] as const
  for (const [call, service, signature] of rows) {
    const { authorization } = signedHeaders(call, { ...terms, service })
    t.equal(authorization?.slice(-64), signature, `${call.method} ${service}`)
    const scope = `AKIDEXAMPLE/20150830/us-east-1/${service}/aws4_request`
    t.match(authorization, `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=`)
  }
})

t.test(
  'a model id with a colon is encoded once in the address and twice in what is signed',
  async (t) => {
    const { url, headers, body } = addressed({ model, max_tokens: 1 })
    const path = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke'
    t.equal(url, `https://bedrock-runtime.us-east-1.amazonaws.com${path}`)
    const names = ['accept', 'content-type', 'host', 'x-amz-date']
    const values = [
      'application/json',
      'application/json',
      'bedrock-runtime.us-east-1.amazonaws.com',
      '20150830T123600Z',
    ]
    const canonical = [
      'POST',
      path.replace('%3A', '%253A'),
      '',
      ...names.map((name, index) => `${name}:${values[index]}`),
      '',
      names.join(';'),
      sha256(String(body)),
    ].join('\n')
    const scope = '20150830/us-east-1/bedrock/aws4_request'
    const text = `AWS4-HMAC-SHA256\n20150830T123600Z\n${scope}\n${sha256(canonical)}`
    const secret = 'AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
    const signing = scope.split('/').reduce<string | Buffer>(hmac, secret)
    t.equal(
      headers.authorization,
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names.join(';')}, Signature=${hmac(signing, text).toString('hex')}`,
    )
    t.same(Object.keys(headers).sort(), ['accept', 'authorization', 'content-type', 'x-amz-date'])
  },
)

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

t.test('a session token is sent and signed', async (t) => {
  const { headers } = addressed({}, {}, `${pair}|the-session-token`)
  t.equal(headers['x-amz-security-token'], 'the-session-token')
  t.match(headers.authorization, /SignedHeaders=[a-z;-]*x-amz-security-token/)
})

t.test('an API key is sent as it is, to the region of the key or of the channel', async (t) => {
  const request = addressed({}, {}, 'ABSKkey')
  t.equal(request.headers.authorization, 'Bearer ABSKkey')
  t.notOk('x-amz-date' in request.headers)
  t.match(request.url, /^https:\/\/bedrock-runtime\.us-west-2\.amazonaws\.com\//)
  t.match(addressed({}, {}, 'ABSKkey|eu-north-1').url, /bedrock-runtime\.eu-north-1\./)
})

t.test(
  'a base URL of the channel stands for the one of the region and is what is signed for',
  async (t) => {
    const place = { ...channel, baseUrl: 'https://vpce-1.example:8443/bedrock/' }
    const at = (baseUrl: string) =>
      claude.address({ kind: 'none' }, { ...place, baseUrl }, { key: pair }, context())
    const { url, headers } = at(place.baseUrl)
    t.match(url, /^https:\/\/vpce-1\.example:8443\/bedrock\/model\//)
    t.not(at('https://vpce-2.example').headers.authorization, headers.authorization)
  },
)

t.test('models are served by their maker’s own form or by the common one', async (t) => {
  const account = '123456789012'
  const claudes = [
    'anthropic.claude-3-haiku-20240307-v1:0',
    'global.anthropic.claude-opus-4-6-v1',
    `arn:aws:bedrock:us-east-1:${account}:inference-profile/us.anthropic.claude-sonnet-4-5-v1:0`,
  ]
  const others = [
    'amazon.nova-2-lite-v1:0',
    'us.meta.llama3-3-70b-instruct-v1:0',
    'openai.gpt-oss-120b-1:0',
    `arn:aws:bedrock:us-east-1:${account}:application-inference-profile/a1b2c3`,
  ]
  for (const name of [...claudes, ...others]) {
    const [adapter, ...more] = servingAll(name)
    t.equal(adapter?.format, claudes.includes(name) ? 'messages' : 'own', name)
    t.same(more, [], `${name} is served one way`)
    const { url } = claude.address(
      { kind: 'none' },
      channel,
      { key: pair },
      context({ model: name }),
    )
    t.ok(url.includes(`/model/${encodeURIComponent(name)}/`), 'one segment')
  }
  for (const name of ['a/b', '../x', 'arn:aws:s3:::bucket/../x', 'arn:aws:bedrock:a:1:b/c/d']) {
    const refused = () => addressed({}, { model: name })
    t.throws(refused, { code: 'invalid_request', param: 'model' }, name)
  }
})

t.test('Claude is sent the body without model and stream and with the version', async (t) => {
  const wire = { model, stream: true, max_tokens: 8, temperature: 0, messages: [] }
  t.same(sentBody(wire, { stream: true }), {
    max_tokens: 8,
    temperature: 0,
    messages: [],
    anthropic_version: 'bedrock-2023-05-31',
  })
  const { url, headers } = addressed(wire, { stream: true })
  t.match(url, /\/invoke-with-response-stream$/)
  t.equal(headers.accept, 'application/vnd.amazon.eventstream')
  t.equal(
    sentBody({ anthropic_version: 'bedrock-2099-01-01' }).anthropic_version,
    'bedrock-2099-01-01',
  )
})

t.test('[FMT-5] what the client wrote goes out as it wrote it, to the last digit', async (t) => {
  const bytes = Buffer.from(
    `{"model":"m", "max_tokens":1, "top_k":9007199254740993,\n "stop_sequences":[""],"stream":false}`,
  )
  const wire = { kind: 'json', value: JSON.parse(bytes.toString()), bytes } as const
  const { body } = claude.address(wire, channel, { key: pair }, context())
  const sent = String(body)
  t.match(sent, '"top_k":9007199254740993')
  t.same(Object.keys(JSON.parse(sent)).sort(), [
    'anthropic_version',
    'max_tokens',
    'stop_sequences',
    'top_k',
  ])
})

t.test('betas of the client go into the body as far as the channel knows them', async (t) => {
  t.same(claude.forwards, ['anthropic-beta'])
  const forwarded = { headers: { 'anthropic-beta': 'context-1m-2025-08-07, unknown-beta,x' } }
  const settings = { betas: ['context-1m-2025-08-07', 'x'] }
  t.same(sentBody({}, { forwarded }, settings).anthropic_beta, ['context-1m-2025-08-07', 'x'])
  t.notOk('anthropic_beta' in sentBody({}, { forwarded }, { betas: [] }))
  t.notOk('anthropic_beta' in sentBody({}, {}, settings))
  const own = { anthropic_beta: ['mine'] }
  t.same(sentBody(own, { forwarded }, settings).anthropic_beta, ['mine'])
})

t.test('a thinking budget becomes an effort for models that take none', async (t) => {
  const thinking = { type: 'enabled', budget_tokens: 4096 }
  const rows = [
    ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', true],
    ['anthropic.claude-sonnet-4-20250514-v1:0', true],
    ['global.anthropic.claude-opus-4-6-v1', true],
    ['global.anthropic.claude-opus-4-7', false],
    ['eu.anthropic.claude-sonnet-5-20260601-v1:0', false],
  ] as const
  for (const [name, takesBudget] of rows) {
    const wire = { model: name, thinking }
    const adjusted = claude.adjust!(wire, channel)
    if (takesBudget) t.equal(adjusted, wire, name)
    else t.match(adjusted, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } })
  }
  const other = { model: 'anthropic.claude-opus-4-7', thinking: { type: 'disabled' } }
  t.equal(claude.adjust!(other, channel), other)
})

function refused(status: number, message: string, type?: string) {
  const headers: Record<string, string> =
    type === undefined ? {} : { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` }
  return claude.fail(status, headers, Buffer.from(JSON.stringify({ message })))
}

t.test('[FMT-17] [ERR-2] a refused field reaches the client, an account does not', async (t) => {
  const failure = refused(400, 'max_tokens: must be at most 8192', 'ValidationException')
  t.match(failure, {
    blame: 'client',
    status: 400,
    code: 'upstream_rejected',
    type: 'ValidationException',
    param: 'max_tokens',
  })
  const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/x'
  const named = refused(400, `The tool field is not supported by ${arn}.`, 'ValidationException')
  t.equal(named.blame, 'client')
  t.notMatch(named.message, /123456789012/)
})

t.test('an exception states whose fault it is where its status does not', async (t) => {
  const rows = [
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'channel'],
    [400, 'ValidationException', 'Operation not allowed', 'channel'],
    [400, 'ValidationException', 'Malformed input request: extraneous key [x]', 'client'],
    [400, 'ServiceQuotaExceededException', 'Your request exceeds the quota', 'channel'],
    [400, 'IncompleteSignatureException', 'Authorization header requires…', 'channel'],
    [403, 'ExpiredTokenException', 'The security token included is expired', 'channel'],
    [403, 'AccessDeniedException', 'You don’t have access to the model', 'channel'],
    [404, 'ResourceNotFoundException', 'Could not resolve the foundation model', 'channel'],
    [408, 'ModelTimeoutException', 'Model has timed out', 'upstream'],
    [424, 'ModelErrorException', 'The system encountered an error', 'upstream'],
    [429, 'ThrottlingException', 'Too many tokens', 'channel'],
    [429, 'ModelNotReadyException', 'Model is not ready', 'channel'],
    [500, 'InternalServerException', 'The system encountered an error', 'upstream'],
    [503, 'ServiceUnavailableException', 'Bedrock is unable to process', 'upstream'],
  ] as const
  for (const [status, type, message, blame] of rows) {
    t.match(refused(status, message, type), { blame, status }, type)
  }
})
