/** Hosts of the table behind a whole gateway: what they refuse or need that no coding agent sends by itself. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { speak } from '../kit/speaking/index.js'
import type { Recorded } from '../kit/upstream.js'
import { iflytek, tencent } from '../kit/vendors/chinese-clouds.js'
import { mimo, modelscope, stepfun } from '../kit/vendors/chinese-hosts.js'
import { together } from '../kit/vendors/strict-hosts.js'
import { keeping, type Vendor } from '../kit/vendors/vendor.js'

const vendors = [tencent, iflytek, stepfun, modelscope, mimo, together]
const gateway = await scriptedGateway(t)
const { upstream, url, key, admin } = gateway
const names = vendors.flatMap(({ models }) => models)
await admin.option('ModelRatio', Object.fromEntries(names.map((name) => [name, 1])))
for (const { type, name, models } of vendors) {
  await admin.channel({
    ...{ type, name, key: 'k', base_url: upstream.url, group: 'default' },
    models: models.join(','),
  })
}

interface Sent {
  readonly status: number
  readonly text: string
  readonly lost: string
  readonly request: Recorded
}

async function ask(vendor: Vendor, path: string, body: object): Promise<Sent> {
  const restore = upstream.takes('the vendor documents more', vendor.takes ?? [])
  upstream.script(keeping(vendor, speak({ text: 'Hi.' })))
  const answer = await fetch(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  restore()
  const text = await answer.text()
  const lost = answer.headers.get('x-waybill-lost') ?? ''
  return { status: answer.status, text, lost, request: upstream.requests.at(-1)! }
}

const messages = [{ role: 'user', content: 'Hello' }]
const parameters = { type: 'object', properties: {} }
const look = { name: 'look', parameters }
const tools = [
  { type: 'function', function: look },
  { type: 'function', function: { ...look, name: 'find' } },
]
const named = { type: 'function', function: { name: 'find' } }

t.test(
  'Tencent: a tool is left to the model, and one that is named is offered alone',
  async (t) => {
    const asked = { model: 'hy3', messages, tools }
    const forced = await ask(tencent, 'chat/completions', { ...asked, tool_choice: 'required' })
    t.equal(forced.status, 200, forced.text)
    t.match(forced.lost, 'tool_choice')
    const chosen = await ask(tencent, 'chat/completions', { ...asked, tool_choice: named })
    t.equal(chosen.status, 200, chosen.text)
    t.match(chosen.lost, 'tool_choice.function')
    t.match(chosen.request.json, { tools: [{ function: { name: 'find' } }], tool_choice: 'auto' })
    const none = await ask(tencent, 'chat/completions', { ...asked, tool_choice: 'none' })
    t.equal(none.status, 200, none.text)
    t.notOk('tools' in none.request.json!)
    const other = { ...asked, model: 'deepseek-v4-flash', tool_choice: 'required' }
    t.match((await ask(tencent, 'chat/completions', other)).request.json, {
      tool_choice: 'required',
    })
  },
)

t.test('[FMT-9] responses go to the models that take them, the rest as chat', async (t) => {
  const own = [{ type: 'function', ...look, strict: false }]
  const pathOf = async (vendor: Vendor, body: object) => {
    const { status, text, request } = await ask(vendor, 'responses', { input: 'Hello', ...body })
    t.equal(status, 200, text)
    return request.path
  }
  const forced = { tools: own, tool_choice: 'required' }
  t.equal(await pathOf(tencent, { model: 'hy3', tools: own }), '/v1/responses')
  t.equal(await pathOf(tencent, { model: 'hy3', ...forced }), '/v1/chat/completions')
  t.equal(await pathOf(tencent, { model: 'deepseek-v4-flash' }), '/v1/chat/completions')
  t.equal(await pathOf(stepfun, { model: 'step-3.7-flash' }), '/v1/responses')
  t.equal(await pathOf(stepfun, { model: 'step-3.7-flash', ...forced }), '/v1/chat/completions')
  t.equal(await pathOf(stepfun, { model: 'step-3.5-flash' }), '/v1/chat/completions')
  const most = { model: 'step-3.7-flash', reasoning: { effort: 'xhigh' } }
  t.equal(await pathOf(stepfun, most), '/v1/chat/completions')
  const effort = (word: string) => ({ model: 'mimo-v2.5-pro', reasoning: { effort: word } })
  t.equal(await pathOf(mimo, effort('high')), '/v1/responses')
  t.equal(await pathOf(mimo, effort('xhigh')), '/v1/chat/completions')
})

t.test('efforts that a model does not know are left out and named', async (t) => {
  const cases = [
    [together, 'openai/gpt-oss-120b', 'xhigh'],
    [stepfun, 'step-3.5-flash', 'medium'],
    [stepfun, 'step-3.7-flash', 'minimal'],
  ] as const
  for (const [vendor, model, effort] of cases) {
    const asked = { model, messages, reasoning_effort: effort }
    const { status, text, lost } = await ask(vendor, 'chat/completions', asked)
    t.equal(status, 200, text)
    t.match(lost, 'reasoning_effort')
    const known = await ask(vendor, 'chat/completions', { ...asked, reasoning_effort: 'low' })
    t.match(known, { status: 200, lost: '', request: { json: { reasoning_effort: 'low' } } })
  }
})

t.test('MiMo: calls in the history have thoughts, and results are texts', async (t) => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const result = { type: 'text', text: 'It is here.' }
  const history = [
    ...messages,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: [result] },
  ]
  const asked = { model: 'mimo-v2.5-pro', messages: history, tools }
  const { status, text, request } = await ask(mimo, 'chat/completions', asked)
  t.equal(status, 200, text)
  t.match(request.json, {
    messages: [{}, { content: '', reasoning_content: '' }, { content: 'It is here.' }],
  })
  const off = await ask({ ...mimo, rules: [] }, 'chat/completions', {
    ...asked,
    thinking: { type: 'disabled' },
  })
  t.equal(off.status, 200, off.text)
  t.notMatch(off.request.text, 'reasoning_content')
})

t.test('MiMo: the limit has its newer name, and members of the maker are left out', async (t) => {
  const asked = { model: 'mimo-v2.5-pro', messages, max_tokens: 100, store: false }
  const { status, text, lost, request } = await ask(mimo, 'chat/completions', asked)
  t.equal(status, 200, text)
  t.match(lost, 'store')
  t.match(request.json, { max_completion_tokens: 100 })
})

t.test('iFlytek: calls of tools come in the format’s shape', async (t) => {
  const asked = { model: '4.0Ultra', messages, tools }
  const { status, text, request } = await ask(iflytek, 'chat/completions', asked)
  t.equal(status, 200, text)
  t.match(request.json, { tool_calls_switch: true })
  const plain = await ask(iflytek, 'chat/completions', { model: '4.0Ultra', messages })
  t.notOk('tool_calls_switch' in plain.request.json!)
})

t.test('ModelScope: thinking is off in one piece, unless the client says of it', async (t) => {
  const asked = { model: 'Qwen/Qwen3-235B-A22B', messages }
  const whole = await ask(modelscope, 'chat/completions', asked)
  t.equal(whole.status, 200, whole.text)
  t.match(whole.request.json, { enable_thinking: false })
  const streamed = await ask(modelscope, 'chat/completions', { ...asked, stream: true })
  t.equal(streamed.status, 200, streamed.text)
  t.notOk('enable_thinking' in streamed.request.json!)
})
