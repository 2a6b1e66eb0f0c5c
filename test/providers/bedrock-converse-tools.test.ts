/** Tools by the Converse API: what each family of models takes of them, and a history of calls where none are offered. */
import t from 'tap'
import type { Call, Part, Turn } from '../../kernel/contract/call.js'
import { ownFormUnsupportedFields } from '../../kernel/toolkit/stage/own-form.js'
import { adapterFor, callOf, channelWith, servingAll } from './bedrock-adapters.js'

const nova = 'us.amazon.nova-pro-v1:0'
const qwen = 'qwen.qwen3-32b-v1:0'
const llama = 'us.meta.llama3-3-70b-instruct-v1:0'

const text = (words: string): Part => ({ kind: 'text', text: words })
const hello: Turn = { role: 'user', parts: [text('Hello')] }
const image: Part = { kind: 'media', type: 'image', source: { base64: 'iVBO', mime: 'image/png' } }
const now = { kind: 'function', name: 'now' } as const

function call(over: Partial<Call> = {}): Call {
  const plain = { turns: [hello], tools: [], stream: false, wantsUsage: false, sampling: {} }
  return { model: nova, ...plain, ...over }
}

function encoded(over: Partial<Call> = {}) {
  const requested = call(over)
  return adapterFor(requested.model).encode!(requested, channelWith())
}

function unsupported(over: Partial<Call>) {
  const requested = call(over)
  return ownFormUnsupportedFields(adapterFor(requested.model), requested)
}

const calls = (...ids: readonly string[]): Turn => ({
  role: 'assistant',
  parts: ids.map((id) => ({ kind: 'toolCall', id, name: 'now', input: '{"zone":"CET"}' })),
})
const result = (callId: string, ...parts: readonly Part[]): Part => ({
  ...{ kind: 'toolResult', callId, parts },
})
const results = (...parts: readonly Part[]): Turn => ({ role: 'tool', parts })

t.test('[FMT-9] tools, calls and results with images', async (t) => {
  const long = `call_${'x'.repeat(80)}`
  const failed = { ...result(long), failed: true } as Part
  const turns = [
    hello,
    calls('call:1', long),
    results(result('call:1', text('Rain'), image), failed),
  ]
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const tools: Call['tools'] = [
    { kind: 'function', name: 'weather', description: 'Looks out', schema },
    { kind: 'function', name: 'now', description: ' \n' },
  ]
  const { messages, toolConfig } = encoded({ turns, tools, toolChoice: { kind: 'required' } })
  const [, asked, told] = messages as { content: { [kind: string]: { toolUseId: string } }[] }[]
  const [first, second] = asked!.content.map(({ toolUse }) => toolUse!.toolUseId)
  t.match(first, /^[a-zA-Z0-9_-]{1,64}$/)
  t.match(second, /^[a-zA-Z0-9_-]{1,64}$/)
  t.same(told?.content, [
    {
      toolResult: {
        toolUseId: first,
        content: [{ text: 'Rain' }, { image: { format: 'png', source: { bytes: 'iVBO' } } }],
      },
    },
    { toolResult: { toolUseId: second, content: [{ json: {} }], status: 'error' } },
  ])
  const plain = { type: 'object', properties: {} }
  t.same(toolConfig, {
    tools: [
      { toolSpec: { name: 'weather', description: 'Looks out', inputSchema: { json: schema } } },
      { toolSpec: { name: 'now', inputSchema: { json: plain } } },
    ],
    toolChoice: { any: {} },
  })
  const choice = (toolChoice: Call['toolChoice']) => encoded({ tools, toolChoice }).toolConfig
  t.match(choice({ kind: 'named', name: 'now' }), { toolChoice: { tool: { name: 'now' } } })
  t.notOk('toolChoice' in (choice({ kind: 'auto' }) as object), 'auto is what a model does anyway')
  t.equal(choice({ kind: 'none' }), undefined, 'none names no tools')
  t.same(unsupported({ model: qwen, turns, tools }).report, ['toolResult.failed'])
})

t.test('[FMT-9] an order to call a tool is refused where the model takes none', async (t) => {
  const rows: [string, boolean, boolean][] = [
    ['amazon.nova-2-lite-v1:0', true, true],
    [nova, true, true],
    ['mistral.mistral-large-2402-v1:0', true, false],
    ['mistral.mistral-large-3-675b-instruct', true, false],
    ['mistral.ministral-3-8b-instruct', false, false],
    ['us.mistral.pixtral-large-2502-v1:0', false, false],
    [llama, false, false],
    ['deepseek.v3-v1:0', true, false],
    ['deepseek.v3.2', true, true],
    ['openai.gpt-oss-120b-1:0', false, false],
    ['cohere.command-r-plus-v1:0', false, false],
    [qwen, false, false],
  ]
  const tools = [now]
  for (const [model, required, named] of rows) {
    const refusedFor = (toolChoice: Call['toolChoice']) =>
      unsupported({ model, tools, toolChoice }).refuse
    t.same(refusedFor({ kind: 'required' }), required ? [] : ['toolChoice'], model)
    t.same(refusedFor({ kind: 'named', name: 'now' }), named ? [] : ['toolChoice'], model)
    t.same(refusedFor({ kind: 'auto' }), [], model)
    t.same(refusedFor({ kind: 'none' }), [], model)
    t.equal(servingAll(model).length, 1, `${model} is of one family`)
  }
  const without = [
    'us.deepseek.r1-v1:0',
    'mistral.mixtral-8x7b-instruct-v0:1',
    'meta.llama3-70b-instruct-v1:0',
    'us.meta.llama3-2-3b-instruct-v1:0',
    'amazon.titan-text-express-v1',
  ]
  for (const model of without) {
    t.same(unsupported({ model, tools }).refuse, ['tools'], model)
    t.equal(servingAll(model).length, 1, `${model} is of one family`)
  }
})

t.test('[FMT-9] a history of calls is told in words where no tools are offered', async (t) => {
  const failed = { ...result('b', text('no such zone')), failed: true } as Part
  const turns = [
    hello,
    calls('a', 'b'),
    results(result('a', text('12:00'), image), failed),
    { role: 'assistant', parts: [text('Noon.')] } as const,
    hello,
  ]
  const told = {
    messages: [
      { role: 'user', content: [{ text: 'Hello' }] },
      {
        role: 'assistant',
        content: [
          { text: 'Called the tool now with {"zone":"CET"}' },
          { text: 'Called the tool now with {"zone":"CET"}' },
        ],
      },
      {
        role: 'user',
        content: [
          { text: 'The tool now returned: 12:00' },
          { image: { format: 'png', source: { bytes: 'iVBO' } } },
          { text: 'The tool now failed: no such zone' },
        ],
      },
      { role: 'assistant', content: [{ text: 'Noon.' }] },
      { role: 'user', content: [{ text: 'Hello' }] },
    ],
  }
  t.same(encoded({ turns }), told)
  const kind = 'none' as const
  t.same(encoded({ turns, tools: [now], toolChoice: { kind } }), told, 'none forbids every call')
  t.same(unsupported({ turns }), { refuse: [], report: ['toolCall'] })
  t.same(unsupported({ turns, tools: [now] }), { refuse: [], report: [] })
  t.same(unsupported({ model: 'us.deepseek.r1-v1:0', turns }).refuse, [])
})

t.test('Mistral’s models are sent ids of nine letters and digits', async (t) => {
  const turns = [hello, calls('tooluse_A1', 'a', 'abcDEF123'), results(result('a', text('1')))]
  const { messages } = encoded({ model: 'mistral.mistral-large-2407-v1:0', turns, tools: [now] })
  const [, asked, told] = messages as {
    content: { toolUse?: { toolUseId: string }; toolResult?: { toolUseId: string } }[]
  }[]
  const ids = asked!.content.map(({ toolUse }) => toolUse!.toolUseId)
  for (const id of ids) t.match(id, /^[a-zA-Z0-9]{9}$/)
  t.equal(new Set(ids).size, 3)
  t.equal(ids[2], 'abcDEF123', 'one that fits stays')
  t.equal(told?.content[0]?.toolResult?.toolUseId, ids[1], 'calls and results meet')
})

t.test('results come before what the user says beside them', async (t) => {
  const turns = [
    hello,
    calls('a', 'b'),
    results({ ...result('a', text('1')), cache: {} } as Part),
    { role: 'user', parts: [text('Well?')] } as const,
    results(result('b', text('2'))),
  ]
  const { messages } = encoded({ turns, tools: [now] }) as { messages: { content: object[] }[] }
  const kinds = messages.at(-1)!.content.map((block) => Object.keys(block)[0])
  t.same(kinds, ['toolResult', 'cachePoint', 'toolResult', 'text'])
})

t.test('the top of a schema is an object, and for Nova nothing more', async (t) => {
  const sent = (model: string, schema: Call['only'] | object) => {
    const tools = [{ ...now, schema }] as Call['tools']
    const { toolConfig } = encoded({ model, tools }) as {
      toolConfig: { tools: { toolSpec: { inputSchema: { json: object } } }[] }
    }
    return toolConfig.tools[0]!.toolSpec.inputSchema.json
  }
  const gaps = (model: string, schema: object) =>
    unsupported({ model, tools: [{ ...now, schema }] as Call['tools'] })
  const union = { anyOf: [{ type: 'object', properties: {} }] }
  t.same(sent(qwen, union), { ...union, type: 'object' })
  t.same(sent(qwen, {}), { type: 'object' })
  t.same(gaps(qwen, union), { refuse: [], report: [] })
  t.same(gaps(nova, union).refuse, ['tools.schema'])
  const zone = { type: 'string', enum: ['CET'] }
  const schema = {
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    properties: {
      zone: { $ref: '#/$defs/Zone' },
      at: { type: 'array', items: { $ref: '#/$defs/Zone' } },
    },
    required: ['zone'],
    $defs: { Zone: zone },
  }
  const properties = { zone, at: { type: 'array', items: zone } }
  t.same(sent(nova, schema), { type: 'object', properties, required: ['zone'] })
  t.same(gaps(nova, schema), { refuse: [], report: [] })
  t.same(gaps(nova, { ...schema, additionalProperties: false }).report, ['tools.schema'])
  const endless = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: {} } }
  const looped = { ...endless, $defs: { A: { properties: { a: { $ref: '#/$defs/A' } } } } }
  t.same(gaps(nova, looped).refuse, ['tools.schema'])
})

t.test('strictness goes to the models that can be held to a schema', async (t) => {
  const tools = [{ ...now, strict: true }]
  t.match(encoded({ model: qwen, tools }).toolConfig, { tools: [{ toolSpec: { strict: true } }] })
  t.notMatch(encoded({ tools }).toolConfig, { tools: [{ toolSpec: { strict: true } }] })
  t.same(unsupported({ tools }).report, ['tools.strict'])
})

t.test('Llama calls tools in whole answers alone', async (t) => {
  const url = (model: string, tools: Call['tools'], stream = true) =>
    callOf(adapterFor(model), encoded({ model, tools }), { model, stream }).url
  t.match(url(llama, [now]), /\/converse$/)
  t.match(url(llama, []), /\/converse-stream$/)
  t.match(url(llama, [now], false), /\/converse$/)
  t.match(url(nova, [now]), /\/converse-stream$/)
})
