/**
 * Tools a responses client declares that no other format knows: namespaces, free text, the search for tools, a shell.
 * What each upstream is queried, and how the calls come back to the client.
 */
import fc from 'fast-check'
import t from 'tap'
import type { Call } from '../../../../kernel/contract/call.js'
import type { Event } from '../../../../kernel/contract/event.js'
import type { Format } from '../../../../kernel/contract/format.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import {
  withAllowedTools,
  withoutForeignTools,
} from '../../../../kernel/toolkit/format/hosted-tools.js'
import { objectOf, objectsOf } from '../../../../kernel/toolkit/json/fields.js'
import chat from '../../../../plugins/formats/chat/index.js'
import generative from '../../../../plugins/formats/generative/index.js'
import messages from '../../../../plugins/formats/messages/index.js'
import { FreeTextReader, writeFreeText } from '../../../../plugins/formats/responses/free-text.js'
import { format as responses } from './wire.js'

const upstreams: readonly Format[] = [chat(), messages(), generative()]
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const fn = (name: string) => ({ type: 'function', name, strict: false, parameters: schema })
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
}
const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds.',
  parameters: schema,
}
const agents = { type: 'namespace', name: 'agents', description: 'Agents.', tools: [fn('spawn')] }

function decoded(fields: JsonObject): Call {
  const body = { model: 'm', input: 'Hello', ...fields }
  responses.check(body)
  const call = responses.decodeRequest(body)
  t.strictSame(responses.encodeRequest(call), body, 'the same format gets it back as it was')
  t.strictSame(responses.unsupportedFields(call), { refuse: [], report: [] })
  return withAllowedTools(call)
}

function sendRequest(format: Format, call: Call): JsonObject {
  t.strictSame(format.unsupportedFields(call).refuse, [], `${format.name} refuses nothing`)
  return format.encodeRequest(withoutForeignTools(format.name, call))
}

function namesIn({ name: format }: Format, { tools }: JsonObject): readonly unknown[] {
  const named = (tool: JsonObject) => objectOf(tool.function)?.name ?? tool.name
  if (format !== 'generative') return objectsOf(tools).map(named)
  return objectsOf(tools).flatMap((tool) => objectsOf(tool.functionDeclarations).map(named))
}

t.test('[FMT-9] tools of every kind a client runs are functions under one name each', (t) => {
  const table: readonly [tools: readonly JsonObject[], names: readonly string[]][] = [
    [[fn('run')], ['run']],
    [[agents], ['agents__spawn']],
    [[{ ...agents, name: 'mcp__mail__' }], ['mcp__mail__spawn']],
    [[{ ...agents, name: 'functions' }], ['spawn']],
    // A name that stands for itself keeps it, wherever it stands.
    [
      [agents, fn('agents__spawn')],
      ['agents__spawn_2', 'agents__spawn'],
    ],
    [
      [{ ...agents, name: 'functions' }, fn('other')],
      ['spawn', 'other'],
    ],
    [
      [patch, search, { type: 'local_shell' }],
      ['apply_patch', 'tool_search', 'local_shell'],
    ],
    [[{ ...agents, tools: [patch, fn('spawn')] }], ['agents__apply_patch', 'agents__spawn']],
    [[fn('run'), { type: 'web_search' }, { type: 'image_generation' }], ['run']],
  ]
  for (const [tools, names] of table) {
    for (const format of upstreams) {
      const wire = sendRequest(format, decoded({ tools }))
      t.strictSame(namesIn(format, wire), names, `${format.name} ${JSON.stringify(names)}`)
    }
  }
  t.end()
})

t.test(
  '[FMT-9] a tool that takes free text is a function of one string, and its grammar is reported',
  (t) => {
    const call = decoded({ tools: [patch] })
    const [tool] = call.tools
    t.match(tool, {
      kind: 'function',
      name: 'apply_patch',
      description: /^Edits files\.\n\n.*lark grammar:\nstart: "x"$/,
      schema: { type: 'object', required: ['input'], properties: { input: { type: 'string' } } },
    })
    for (const format of upstreams) {
      t.strictSame(
        format.unsupportedFields(call).report,
        ['tools.format'],
        'nothing holds it to that',
      )
    }
    t.end()
  },
)

t.test('[FMT-9] tools that items of the input declare are declared', (t) => {
  const item = { type: 'additional_tools', role: 'developer', tools: [agents, patch] }
  const found = { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [agents] }
  const asking = {
    type: 'tool_search_call',
    call_id: 'c',
    execution: 'client',
    arguments: { q: 1 },
  }
  const hello = { type: 'message', role: 'user', content: 'Hello' }
  for (const format of upstreams) {
    const added = sendRequest(format, decoded({ input: [item, hello] }))
    t.strictSame(namesIn(format, added), ['agents__spawn', 'apply_patch'], format.name)
    const searched = sendRequest(
      format,
      decoded({ tools: [search], input: [hello, asking, found] }),
    )
    t.strictSame(namesIn(format, searched), ['tool_search', 'agents__spawn'])
    t.match(JSON.stringify(searched), /agents__spawn/, 'and the model is shown what was found')
  }
  t.match(sendRequest(upstreams[0]!, decoded({ tools: [search], input: [hello, asking, found] })), {
    messages: [
      { role: 'user' },
      { tool_calls: [{ id: 'c', function: { name: 'tool_search', arguments: '{"q":1}' } }] },
      { role: 'tool', tool_call_id: 'c', content: '{"tools":["agents__spawn"]}' },
    ],
  })
  t.end()
})

t.test('[FMT-9] what was called and returned before goes out under the same names', (t) => {
  const input = [
    { type: 'message', role: 'user', content: 'Hello' },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'a',
      name: 'spawn',
      namespace: 'agents',
      arguments: '{}',
    },
    { type: 'function_call_output', call_id: 'a', output: 'done' },
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'apply_patch', input: 'x "y"\n' },
    { type: 'custom_tool_call_output', call_id: 'b', output: 'patched' },
    {
      type: 'local_shell_call',
      id: 'lsh_1',
      call_id: 'c',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'local_shell_call_output', id: 'c', output: 'a.txt' },
  ]
  const call = decoded({ tools: [agents, patch, { type: 'local_shell' }], input })
  t.match(sendRequest(upstreams[0]!, call), {
    messages: [
      {},
      { tool_calls: [{ id: 'a', function: { name: 'agents__spawn', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
      {
        tool_calls: [
          { id: 'b', function: { name: 'apply_patch', arguments: '{"input":"x \\"y\\"\\n"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'b', content: 'patched' },
      {
        tool_calls: [
          { function: { name: 'local_shell', arguments: '{"command":["ls"],"env":{}}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: 'a.txt' },
    ],
  })
  for (const format of upstreams) {
    t.strictSame(
      format.unsupportedFields(call).report,
      ['tools.format'],
      `${format.name}: all is there`,
    )
  }
  t.end()
})

t.test('[FMT-9] a choice of tools names them as the upstream knows them', (t) => {
  const tools = [agents, patch, fn('run'), { type: 'web_search' }]
  const named = (name: string) => ({ type: 'function', function: { name } })
  const table = [
    [{ type: 'custom', name: 'apply_patch' }, named('apply_patch')],
    [{ type: 'function', name: 'spawn', namespace: 'agents' }, named('agents__spawn')],
    [{ type: 'function', name: 'run' }, named('run')],
    ['required', 'required'],
  ] as const
  for (const [tool_choice, expected] of table) {
    const wire = sendRequest(upstreams[0]!, decoded({ tools, tool_choice }))
    t.strictSame(wire.tool_choice, expected)
  }
  const allowed = (mode: string, ...some: JsonObject[]) => ({
    type: 'allowed_tools',
    mode,
    tools: some,
  })
  for (const [tool_choice, names, chosen] of [
    [allowed('auto', { type: 'function', name: 'run' }), ['run'], 'auto'],
    [allowed('required', { type: 'custom', name: 'apply_patch' }), ['apply_patch'], 'required'],
    [allowed('auto', { type: 'namespace', name: 'agents' }), ['agents__spawn'], 'auto'],
  ] as const) {
    const wire = sendRequest(upstreams[0]!, decoded({ tools, tool_choice }))
    t.strictSame([namesIn(upstreams[0]!, wire), wire.tool_choice], [names, chosen])
  }
  t.end()
})

t.test('[FMT-9] a tool only its own upstream runs is reported; refused where it is forced', (t) => {
  const hosted = [
    'web_search',
    'file_search',
    'code_interpreter',
    'image_generation',
    'tool_search',
  ]
  for (const type of hosted) {
    const offered = { tools: [fn('run'), { type }] }
    const alone = { tools: [{ type }] }
    const name = `tools.${type}`
    for (const format of upstreams) {
      const lost = (fields: JsonObject) => format.unsupportedFields(decoded(fields))
      t.strictSame(lost(offered), { refuse: [], report: [name] }, `${format.name} ${type}`)
      t.strictSame(lost(alone), { refuse: [], report: [name] })
      t.strictSame(lost({ ...offered, tool_choice: 'required' }).refuse, [])
      t.strictSame(lost({ ...alone, tool_choice: 'required' }).refuse, [name])
      t.strictSame(lost({ ...offered, tool_choice: { type } }).refuse, [name])
    }
  }
  t.end()
})

/** A call as another format's upstream streams it, written for the client that queried with these tools. */
function answered(tools: readonly JsonObject[], name: string, pieces: readonly string[]) {
  const call = decoded({ tools, stream: true })
  const at = { choice: 0, part: 0 }
  const events: Event[] = [
    { type: 'start', id: 'x' },
    { type: 'open', at, part: { kind: 'toolCall', id: 'call_1', name } },
    ...pieces.map((json): Event => ({ type: 'delta', at, json })),
    { type: 'close', at },
    { type: 'stop', choice: 0, reason: 'tool', word: 'tool_calls' },
    { type: 'end' },
  ]
  const reader = { model: 'm', wantsUsage: true, call: () => call }
  const encoder = responses.encodeStream(reader)
  const bytes = [...events.flatMap((event) => encoder.push(event)), ...encoder.flush()]
  const wires = Buffer.concat(bytes)
    .toString()
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)))
  const whole = responses.encodeReply(events, reader) as JsonObject
  t.strictSame(wires.at(-1).response.output, whole.output, 'a body is what its stream was')
  return { wires, output: (whole.output as JsonObject[])[0] }
}

t.test('[FMT-9] calls come back as the items the client knows', (t) => {
  const spawned = answered([agents], 'agents__spawn', ['{}'])
  t.match(spawned.output, {
    type: 'function_call',
    call_id: 'call_1',
    name: 'spawn',
    namespace: 'agents',
    arguments: '{}',
    status: 'completed',
  })
  const collided = answered([agents, fn('agents__spawn')], 'agents__spawn', ['{}'])
  t.match(collided.output, { name: 'agents__spawn', namespace: undefined })
  t.match(answered([search], 'tool_search', ['{"query":', '"mail"}']).output, {
    type: 'tool_search_call',
    id: /^tsc_/,
    call_id: 'call_1',
    execution: 'client',
    arguments: { query: 'mail' },
  })
  t.match(answered([{ type: 'local_shell' }], 'local_shell', ['{"command":["ls"]}']).output, {
    type: 'local_shell_call',
    action: { type: 'exec', command: ['ls'], env: {} },
  })
  t.match(answered([patch], 'unheard_of', ['{}']).output, {
    type: 'function_call',
    name: 'unheard_of',
  })
  t.end()
})

t.test('[FMT-9] free text streams as it is written, without the object it travels in', (t) => {
  const { wires, output } = answered([patch], 'apply_patch', [
    '{"in',
    'put": "*** Be',
    'gin\\',
    'n"}',
  ])
  t.match(output, {
    type: 'custom_tool_call',
    id: /^ctc_/,
    call_id: 'call_1',
    name: 'apply_patch',
    input: '*** Begin\n',
  })
  const results = wires.filter(({ type }) => type.startsWith('response.custom_tool_call_input'))
  t.strictSame(
    results.map(({ type, delta, input }) => [type.split('.').at(-1), delta ?? input]),
    [
      ['delta', '*** Be'],
      ['delta', 'gin'],
      ['delta', '\n'],
      ['done', '*** Begin\n'],
    ],
  )
  t.ok(results.every(({ item_id, output_index }) => item_id === output?.id && output_index === 0))
  t.end()
})

t.test('free text is the same however its object is cut, and read where there is none', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(), (text, seed) => {
      const json = writeFreeText(text)
      const cut = seed % (json.length + 1)
      const reader = new FreeTextReader()
      const pieces = [...json.slice(0, cut), json.slice(cut)].map((piece) => reader.push(piece))
      pieces.push(reader.finish())
      t.equal(pieces.join(''), text)
      t.ok(pieces.every((piece) => !/[\ud800-\udfff]/u.test(piece)))
      return reader.text === text
    }),
  )
  const table = [
    ['*** Begin Patch', '*** Begin Patch'],
    ['{"input":"cut sho', 'cut sho'],
    ['{"input":"a\nb\\d"}', 'a\nb\\d'],
    ['{"patch":"x"}', '{"patch":"x"}'],
    ['', ''],
    ['{"x":1,"input":"late"}', 'late'],
  ] as const
  for (const [json, text] of table) {
    const reader = new FreeTextReader()
    t.equal(reader.push(json) + reader.finish(), text, json)
  }
  t.end()
})
