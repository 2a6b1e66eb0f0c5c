/** Claude on Vertex AI, on Bedrock and at its maker's: Claude Code's first message and what newer models refuse. */
import t from 'tap'
import { type ScriptedGateway, scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Recorded } from '../kit/upstream.js'
import { isRecord, objectsWithin, strictly, type VendorRule } from '../kit/vendor.js'
import { contextNeedsBeta, knownBetas, noExtraInputs, noSampling } from '../kit/vendors/claude.js'

const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hi.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
}

const vertex = { type: 41, key: 'AIzaKey', upstream: 'claude-opus-4-7' }
const bedrock = {
  type: 33,
  key: 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1',
  upstream: 'us.anthropic.claude-opus-4-7-v1:0',
}
const anthropic = { type: 14, key: 'sk-ant', upstream: 'claude-opus-4-7' }

const model = 'opus'

async function gatewayOf(
  t: Parameters<typeof scriptedGateway>[0],
  { type, key, upstream }: typeof vertex,
): Promise<ScriptedGateway> {
  const model_mapping = JSON.stringify({ [model]: upstream })
  const gateway = await scriptedGateway(t, { channel: { type, key, models: model, model_mapping } })
  await gateway.admin.option('ModelRatio', { [model]: 1 })
  return gateway
}

async function messages(
  { url, key }: ScriptedGateway,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      ...headers,
    },
    body: JSON.stringify({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hello' }],
      ...body,
    }),
  })
}

/** As sent by Claude Code in the autumn of 2026. */
const claudeCode = {
  headers: {
    'anthropic-version': '2023-06-01',
    'anthropic-beta':
      'claude-code-20250219,context-1m-2025-08-07,interleaved-thinking-2025-05-14,redact-thinking-2026-02-12,thinking-token-count-2026-05-13,context-management-2025-06-27,prompt-caching-scope-2026-01-05,mid-conversation-system-2026-04-07,advisor-tool-2026-03-01,advanced-tool-use-2025-11-20,extended-cache-ttl-2025-04-11,cache-diagnosis-2026-04-07',
  },
  body: {
    system: [
      { type: 'text', text: 'You are an agent.' },
      {
        type: 'text',
        text: 'Rules.',
        cache_control: { type: 'ephemeral', ttl: '1h', scope: 'global' },
      },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello', cache_control: { type: 'ephemeral', ttl: '1h' } },
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: [
              { type: 'text', text: 'x', cache_control: { type: 'ephemeral', scope: 'global' } },
            ],
          },
        ],
      },
    ],
    tools: [
      {
        name: 'Read',
        description: 'Reads.',
        input_schema: { type: 'object' },
        eager_input_streaming: true,
      },
      {
        name: 'Edit',
        input_schema: { type: 'object' },
        cache_control: { type: 'ephemeral', scope: 'global' },
      },
    ],
    metadata: { user_id: 'u' },
    thinking: { type: 'adaptive' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
    diagnostics: { previous_message_id: 'msg_0' },
  },
}

for (const place of [vertex, bedrock]) {
  const name = place === vertex ? 'Vertex' : 'Bedrock'

  t.test(`Claude Code’s first message passes on ${name}`, async (t) => {
    const gateway = await gatewayOf(t, place)
    const { upstream } = gateway
    upstream.script(strictly([knownBetas, noExtraInputs, contextNeedsBeta], json(200, answer)))
    const reply = await messages(gateway, claudeCode.body, claudeCode.headers)
    t.equal(reply.status, 200, await reply.text())
    t.equal(reply.headers.get('x-waybill-lost'), 'diagnostics', 'cosmetic losses are not reported')
    const {
      system,
      tools,
      messages: texts,
    } = upstream.requests[0]!.json as {
      system: { cache_control?: unknown }[]
      tools: object[]
      messages: object[]
    }
    t.strictSame(system[1]?.cache_control, { type: 'ephemeral', ttl: '1h' }, 'the mark stays')
    t.notOk('eager_input_streaming' in tools[0]!)
    t.match(texts, [{ content: [{ cache_control: { ttl: '1h' } }, { content: [{ text: 'x' }] }] }])
  })

  t.test(
    `a mark at the top of the request is refused on ${name}: left out and reported`,
    async (t) => {
      const gateway = await gatewayOf(t, place)
      const { upstream } = gateway
      upstream.script(strictly([noExtraInputs], json(200, answer)))
      const reply = await messages(gateway, { cache_control: { type: 'ephemeral' } })
      t.equal(reply.status, 200, await reply.text())
      t.equal(reply.headers.get('x-waybill-lost'), 'cache_control')
    },
  )
}

t.test(
  'how long a mark lasts is reported where an older model refuses to be queried',
  async (t) => {
    const gateway = await gatewayOf(t, {
      ...bedrock,
      upstream: 'us.anthropic.claude-sonnet-4-20250514-v1:0',
    })
    const { upstream } = gateway
    const noTtl: VendorRule = {
      rule: 'cache_control.ephemeral.ttl: Extra inputs are not permitted',
      source: 'github.com/earendil-works/pi/pull/1570',
      read: '2026-11-22',
      broken: ({ json: body }) =>
        objectsWithin(body).some(({ cache_control: mark }) => isRecord(mark) && 'ttl' in mark),
    }
    upstream.script(strictly([noTtl], json(200, answer)))
    const reply = await messages(gateway, { system: claudeCode.body.system })
    t.equal(reply.status, 200, await reply.text())
    t.equal(reply.headers.get('x-waybill-lost'), 'cache_control.ttl')
  },
)

for (const place of [anthropic, vertex, bedrock]) {
  t.test(
    `sampling fields a newer Claude refuses are left out and reported, type ${place.type}`,
    async (t) => {
      const gateway = await gatewayOf(t, place)
      const { upstream } = gateway
      upstream.script(strictly([noSampling], json(200, answer)))
      const own = await messages(gateway, { temperature: 0, top_p: 0.9, top_k: 5 })
      t.equal(own.status, 200, await own.text())
      t.equal(own.headers.get('x-waybill-lost'), 'temperature, top_p, top_k', 'verbatim')
      const converted = await gateway.chat({
        model,
        messages: [{ role: 'user', content: 'hello' }],
        temperature: 0.2,
        top_p: 0.5,
      })
      t.equal(converted.status, 200, await converted.text())
      t.match(converted.headers.get('x-waybill-lost'), 'temperature')
      t.match(converted.headers.get('x-waybill-lost'), 'top_p')
    },
  )
}

t.test('models that take sampling fields get them as they came, but not two at once', async (t) => {
  const rows: [typeof vertex, string, readonly string[]][] = [
    [anthropic, 'claude-sonnet-4-20250514', []],
    [anthropic, 'claude-3-7-sonnet-20250219', []],
    [anthropic, 'claude-sonnet-4-5-20250929', ['top_p']],
    [anthropic, 'another-maker-model', []],
    [vertex, 'claude-opus-4-6', ['top_p']],
    [vertex, 'claude-sonnet-4@20250514', []],
    [bedrock, 'us.anthropic.claude-haiku-4-5-20251001-v1:0', ['top_p']],
    [bedrock, 'anthropic.claude-3-haiku-20240307-v1:0', []],
    [bedrock, 'global.anthropic.claude-sonnet-5', ['temperature', 'top_p']],
  ]
  const gateway = await gatewayOf(t, anthropic)
  const { upstream, admin } = gateway
  for (const [number, [place, upstreamModel, lost]] of rows.entries()) {
    const served = `row-${number}`
    await admin.option('ModelRatio', { [served]: 1 })
    await admin.channel({
      type: place.type,
      key: place.key,
      name: served,
      base_url: upstream.url,
      models: served,
      group: 'default',
      model_mapping: JSON.stringify({ [served]: upstreamModel }),
    })
    upstream.requests.length = 0
    upstream.script(json(200, answer))
    const reply = await messages(gateway, { model: served, temperature: 0, top_p: 0.9 })
    t.equal(reply.headers.get('x-waybill-lost') ?? '', lost.join(', '), upstreamModel)
    const sent = sentBy(upstream.requests[0])
    for (const field of ['temperature', 'top_p']) {
      t.equal(field in sent, !lost.includes(field), `${upstreamModel}: ${field}`)
    }
  }
})

function sentBy(request: Recorded | undefined): object {
  return request?.json ?? {}
}
