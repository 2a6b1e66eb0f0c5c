/** The role `developer` reaches vendors that document it, and goes out as `system` to all others. */
import t from 'tap'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'
import { listIn, strictly } from '../kit/vendor.js'
import { rolesAre } from '../kit/vendors/rules.js'

const knownRoles = rolesAre(['system', 'user', 'assistant', 'tool'], {
  source:
    'github.com/proma-ai/Proma/issues/1496 (DashScope), github.com/earendil-works/pi/issues/1048 (DeepSeek), github.com/agno-agi/agno/issues/6697 (Ark)',
  read: '2026-11-22',
})

const instructions = { role: 'developer', content: 'Be brief.' }
const user = { role: 'user', content: 'hello' }

/** Channel types by number, as their manifests have them. */
const refusing: readonly (readonly [type: number, name: string])[] = [
  [4, 'ollama'],
  [8, 'custom'],
  [17, 'dashscope'],
  [19, '360'],
  [25, 'moonshot'],
  [26, 'zhipu'],
  [31, '01.AI'],
  [35, 'minimax'],
  [40, 'siliconflow'],
  [42, 'mistral'],
  [43, 'deepseek'],
  [45, 'volcengine'],
  [46, 'baidu'],
  [47, 'xinference'],
  [48, 'xai'],
  [53, 'submodel'],
]

t.test('developer goes out as system to vendors that refuse it, from every client', async (t) => {
  const gateway = await scriptedGateway(t)
  const { upstream } = gateway
  const servedBy = (name: string) => `of-${name}`
  const ratios = refusing.map(([, name]) => [servedBy(name), 1] as const)
  await gateway.admin.option('ModelRatio', Object.fromEntries(ratios))
  for (const [type, name] of refusing) {
    const served = servedBy(name)
    await gateway.admin.channel({
      type,
      name,
      key: 'k',
      base_url: type === 8 ? `${upstream.url}/v1/chat/completions` : upstream.url,
      models: served,
      group: 'default',
    })
    upstream.requests.length = 0
    upstream.script(strictly([knownRoles], json(200, chat.whole('Hi.', 10, 2))))
    const verbatim = await gateway.chat({ model: served, messages: [instructions, user, user] })
    t.equal(verbatim.status, 200, `${name}: ${await verbatim.text()}`)
    const first = listIn(upstream.requests[0]?.json, 'messages')[0]
    t.strictSame(first, { role: 'system', content: 'Be brief.' }, name)

    upstream.script(
      strictly([knownRoles], events(chat.role(), chat.delta('Hi.'), chat.stop(), chat.done)),
    )
    const streamed = await gateway.chat({
      model: served,
      messages: [instructions, user],
      stream: true,
    })
    t.match(await streamed.text(), '[DONE]', `${name}: streamed`)
  }
})

t.test('developer as converted from a responses client is system too', async (t) => {
  const gateway = await scriptedGateway(t, { channel: { type: 31, models: model } })
  const { upstream, url, key } = gateway
  upstream.script(strictly([knownRoles], json(200, chat.whole('Hi.', 10, 2))))
  const answer = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: [{ type: 'message', ...instructions }, user] }),
  })
  t.equal(answer.status, 200, await answer.text())
  t.match(upstream.requests[0]?.json, { messages: [{ role: 'system' }, { role: 'user' }] })
})

t.test('responses of a vendor that refuses developer are reported system as well', async (t) => {
  const gateway = await scriptedGateway(t, { channel: { type: 43, models: model } })
  const { upstream, url, key } = gateway
  upstream.script(strictly([knownRoles], json(400, { error: { message: 'kept' } })))
  const answer = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: [instructions, user] }),
  })
  t.match(await answer.text(), 'kept')
  t.match(upstream.requests[0]?.json, { input: [{ role: 'system' }, { role: 'user' }] })
})

t.test('vendors that document developer get the body as it came', async (t) => {
  const gateway = await scriptedGateway(t)
  const { upstream } = gateway
  t.teardown(upstream.takes('a field no vendor has shows that bytes pass', ['n_big']))
  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
  const text = `{"model": "${model}",  "messages": [{"role":"developer","content":"x"}, {"role":"user","content":"y"}], "n_big": 12345678901234567890}`
  await gateway.chat(text)
  t.equal(upstream.requests[0]?.text, text, 'openai')
  for (const [type, name, path] of [
    [3, 'azure', '/openai/'],
    [20, 'openrouter', '/v1/'],
  ] as const) {
    upstream.requests.length = 0
    await gateway.admin.option('ModelRatio', { [name]: 1 })
    await gateway.admin.channel({
      type,
      name,
      key: 'k',
      base_url: upstream.url,
      models: name,
      group: 'default',
    })
    await gateway.chat({ model: name, messages: [instructions, user] })
    t.match(upstream.requests[0]?.path, path)
    t.strictSame(listIn(upstream.requests[0]?.json, 'messages')[0], instructions, name)
  }
})

t.test(
  'a channel states otherwise: an openai-like server, a custom one that knows it',
  async (t) => {
    const gateway = await scriptedGateway(t, {
      channel: { settings: { developer_role: 'system' } },
    })
    const { upstream } = gateway
    upstream.script(json(200, chat.whole('Hi.', 10, 2)))
    await gateway.chat({ model, messages: [instructions, user] })
    t.match(upstream.requests[0]?.json, { messages: [{ role: 'system' }, { role: 'user' }] })
  },
)
