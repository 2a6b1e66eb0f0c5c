/** Refusals of the services of the table whose status alone does not say whose fault they are, and which path and key a call has. */
import t from 'tap'
import type { Adapter } from '../../kernel/contract/provider.js'
import { channelTypeNumber } from '../../kernel/toolkit/provider/index.js'
import create from '../../providers/chat-compatible/index.js'
import { adapterOf } from '../conformance/provider.js'

const { operations } = create()
const chat = adapterOf(create(), 'chat')

const inError = (fields: object) => ({ error: fields })

const ofHuawei = (code: string, message: string) => ({
  ...inError({ code, message, param: null, type: 'Forbidden' }),
  ...{ error_code: code, error_msg: message },
})

type Refused = readonly [name: string, blame: string, status: number, body: object]

const refusals: readonly Refused[] = [
  [
    'Together: more tokens than the context has',
    'client',
    403,
    inError({ message: 'inputs tokens + max_new_tokens must be <= 8193.' }),
  ],
  ['any other 403', 'channel', 403, inError({ message: 'Forbidden' })],
  [
    'Huawei: content that is refused',
    'client',
    403,
    ofHuawei('ModelArts.81011', 'Input text May contain sensitive information'),
  ],
  [
    'Huawei: a plan that is used up',
    'channel',
    403,
    ofHuawei('ModelArts.81023', 'The plan is used up'),
  ],
  [
    'Hugging Face: a model none of the providers has',
    'channel',
    400,
    inError({
      message: "The requested model 'm' is not supported by any provider you have enabled.",
      code: 'model_not_supported',
    }),
  ],
  [
    'ModelScope: a model no provider has',
    'channel',
    400,
    { errors: { message: 'Model id : m , has no provider supported' }, request_id: 'r' },
  ],
  [
    'iFlytek: a model the application may not use',
    'channel',
    500,
    inError({ message: 'AppIdNoAuthError:(15:24:29.825) tokens.total', code: '11200' }),
  ],
  [
    'Tencent: a model that is not there',
    'channel',
    400,
    inError({ message: 'The model or service ID m does not exist', code: '400001' }),
  ],
  ['Tencent: content that is refused', 'client', 451, inError({ message: 'filtered' })],
  [
    'MiMo: a model that is not there',
    'channel',
    400,
    inError({ code: '400', message: 'Param Incorrect', param: 'Not supported model m', type: '' }),
  ],
  [
    'MiMo: what else it finds wrong',
    'client',
    400,
    inError({ code: '400', message: 'Param Incorrect', param: '`text` is not set', type: '' }),
  ],
  ['MiMo: content that is refused', 'client', 421, inError({ message: 'filtered', code: '421' })],
]

for (const [name, blame, status, body] of refusals) {
  t.test(`[ERR-2] ${name}: the fault is the ${blame}’s`, async (t) => {
    t.match(chat.fail(status, {}, Buffer.from(JSON.stringify(body))), { blame, status })
  })
}

const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const wire = { kind: 'json', value: {} } as const
const requestOf = (type: number, format: string, model = 'm') => {
  const channel = { id: 1, type, baseUrl: 'https://h.example', settings: {} }
  const adapter = [operations.chat].flat().find((one) => one?.format === format) as Adapter
  return adapter.address(wire, channel, { key: 'k' }, { ...context, model })
}

t.test('the key of the messages format stands where each service documents it', async (t) => {
  for (const type of [23, channelTypeNumber('chat-compatible/huawei-maas')]) {
    const { headers } = requestOf(type, 'messages')
    t.equal(headers['x-api-key'], 'k')
    t.notOk('authorization' in headers)
    t.match(requestOf(type, 'chat').headers, { authorization: 'Bearer k' })
  }
  t.match(requestOf(46, 'messages').headers, { authorization: 'Bearer k' })
})

t.test('a model of iFlytek has a path of its own', async (t) => {
  t.equal(requestOf(18, 'chat', 'spark-x').url, 'https://h.example/v2/chat/completions')
  t.equal(requestOf(18, 'chat', '4.0Ultra').url, 'https://h.example/v1/chat/completions')
})

t.test('Tencent returns numbers that are not packed', async (t) => {
  const channel = { id: 1, type: 23, baseUrl: 'https://h.example', settings: {} }
  const adapter = [operations.embeddings]
    .flat()
    .find((one) => one?.serves?.(channel, 'm') === true) as Adapter
  const packed = { input: 'a', encoding_format: 'base64' }
  t.strictSame(adapter.adjust?.(packed, channel), { input: 'a', encoding_format: 'float' })
  const plain = { input: 'a' }
  t.equal(adapter.adjust?.(plain, channel), plain)
})
