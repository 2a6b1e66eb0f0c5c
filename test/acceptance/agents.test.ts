/**
 * What coding agents send first, as recorded from their released packages, at an upstream of every other format: the
 * first answer, two rounds of their tools and a last text, in one piece and streamed.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { heard } from './kit/heard.js'
import { channels, fourUpstreams, type Wire } from './kit/upstreams.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of three vendors; a field that is missing fails the test that names it.
type Body = any

interface Call {
  readonly id: string
  /** The item, block or part it came in. */
  readonly own: Body
}

interface Answer {
  readonly text: string
  readonly calls: readonly Call[]
  /** What the agent keeps of the answer for its next request. */
  readonly kept: Body
}

interface Agent {
  readonly name: string
  readonly fixture: string
  readonly wires: readonly Wire[]
  path(model: string, stream: boolean): string
  readonly headers: Readonly<Record<string, string>>
  ask(body: Body, model: string, stream: boolean): Body
  whole(body: Body): Answer
  streamed(events: readonly Body[]): Answer
  /** The next request, with the result of the last call. */
  next(body: Body, answer: Answer, output: string): Body
  /** What the model calls in two rounds, as the upstream knows it, and what the agent gets of it. */
  readonly rounds: readonly {
    readonly name: string
    readonly input: Body
    readonly own: Body
  }[]
}

const outputOf: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
}

const codex = {
  wires: ['chat', 'messages', 'generative'],
  path: () => '/v1/responses',
  headers: {},
  ask: (body, model, stream) => ({ ...body, model, stream }),
  whole(body) {
    const items: Body[] = body.output
    return {
      text: items
        .flatMap(({ content }) => content ?? [])
        .map(({ text }: Body) => text)
        .join(''),
      calls: items.flatMap((own) => (own.call_id === undefined ? [] : [{ id: own.call_id, own }])),
      kept: items,
    }
  },
  streamed(events) {
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    return this.whole({ output: done.map(({ item }) => item) })
  },
  next(body, { kept, calls }, output) {
    const results = calls.map(({ id, own }) =>
      own.type === 'tool_search_call'
        ? {
            type: 'tool_search_output',
            call_id: id,
            execution: 'client',
            status: 'completed',
            tools: found,
          }
        : { type: outputOf[own.type], call_id: id, output },
    )
    return { ...body, input: [...body.input, ...kept, ...results] }
  },
} satisfies Omit<Agent, 'name' | 'fixture' | 'rounds'>

const found = [
  {
    type: 'namespace',
    name: 'mcp__mail',
    description: 'Mail.',
    tools: [
      {
        type: 'function',
        name: 'send',
        strict: false,
        parameters: { type: 'object', properties: {} },
      },
    ],
  },
]

const patch = '*** Begin Patch\n*** Add File: "ä.txt"\n+x\n*** End Patch\n'

const agents: readonly Agent[] = [
  {
    ...codex,
    name: 'codex',
    fixture: 'codex',
    rounds: [
      {
        name: 'apply_patch',
        input: { input: patch },
        own: { type: 'custom_tool_call', name: 'apply_patch', input: patch },
      },
      {
        name: 'tool_search',
        input: { query: 'mail', limit: 3 },
        own: {
          type: 'tool_search_call',
          execution: 'client',
          arguments: { query: 'mail', limit: 3 },
        },
      },
      {
        name: 'mcp__mail__send',
        input: {},
        own: { type: 'function_call', name: 'send', namespace: 'mcp__mail', arguments: '{}' },
      },
    ],
  },
  {
    ...codex,
    name: 'codex with a model it does not know',
    fixture: 'codex-namespaces',
    rounds: [
      {
        name: 'exec_command',
        input: { cmd: 'ls' },
        own: { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' },
      },
      {
        name: 'multi_agent_v1__spawn_agent',
        input: { message: 'go' },
        own: { type: 'function_call', name: 'spawn_agent', namespace: 'multi_agent_v1' },
      },
    ],
  },
  {
    ...codex,
    name: 'codex with tools inside its input',
    fixture: 'codex-additional-tools',
    rounds: [
      {
        name: 'exec',
        input: { input: 'text("hi")' },
        own: {
          type: 'custom_tool_call',
          name: 'exec',
          namespace: 'functions',
          input: 'text("hi")',
        },
      },
      {
        name: 'collaboration__list_agents',
        input: {},
        own: { type: 'function_call', name: 'list_agents', namespace: 'collaboration' },
      },
    ],
  },
  {
    name: 'Claude Code',
    fixture: 'claude-code',
    wires: ['chat', 'generative', 'responses'],
    path: () => '/v1/messages?beta=true',
    headers: {},
    ask: (body, model, stream) => ({ ...body, model, stream }),
    whole: ({ content }) => ({
      text: content.flatMap(({ text }: Body) => text ?? []).join(''),
      calls: content.flatMap((own: Body) => (own.type === 'tool_use' ? [{ id: own.id, own }] : [])),
      kept: { role: 'assistant', content },
    }),
    streamed(events) {
      const content: Body[] = []
      const json: string[] = []
      for (const { type, index, content_block, delta } of events) {
        if (type === 'content_block_start') content[index] = { ...content_block }
        if (type !== 'content_block_delta') continue
        if (delta.type === 'text_delta') content[index].text += delta.text
        if (delta.type === 'thinking_delta') content[index].thinking += delta.thinking
        if (delta.type === 'signature_delta') content[index].signature += delta.signature
        if (delta.type === 'input_json_delta')
          json[index] = (json[index] ?? '') + delta.partial_json
      }
      json.forEach((text, index) => {
        content[index].input = JSON.parse(text || '{}')
      })
      return this.whole({ content })
    },
    next: (body, { kept, calls }, output) => ({
      ...body,
      messages: [
        ...body.messages,
        kept,
        {
          role: 'user',
          content: calls.map(({ id }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: output,
          })),
        },
      ],
    }),
    rounds: [
      { name: 'Bash', input: { command: 'ls' }, own: { name: 'Bash', input: { command: 'ls' } } },
      {
        name: 'Read',
        input: { file_path: '/a' },
        own: { name: 'Read', input: { file_path: '/a' } },
      },
    ],
  },
  {
    name: 'Gemini CLI',
    fixture: 'gemini-cli',
    wires: ['chat', 'messages', 'responses'],
    path: (model, stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: {},
    ask: (body) => body,
    whole({ candidates: [{ content }] }) {
      const parts: Body[] = content.parts
      return {
        text: parts.flatMap(({ text, thought }) => (thought ? [] : (text ?? []))).join(''),
        calls: parts.flatMap(({ functionCall: own }) => (own ? [{ id: own.id, own }] : [])),
        kept: { role: 'model', parts },
      }
    },
    streamed(events) {
      const parts = events.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      return this.whole({ candidates: [{ content: { parts } }] })
    },
    next: (body, { kept, calls }, output) => ({
      ...body,
      contents: [
        ...body.contents,
        kept,
        {
          role: 'user',
          parts: calls.map(({ id, own: { name } }) => ({
            functionResponse: { id, name, response: { output } },
          })),
        },
      ],
    }),
    rounds: [
      {
        name: 'read_file',
        input: { file_path: 'a' },
        own: { name: 'read_file', args: { file_path: 'a' } },
      },
      { name: 'glob', input: { pattern: '*' }, own: { name: 'glob', args: { pattern: '*' } } },
    ],
  },
]

const gateway = await fourUpstreams(t)

for (const agent of agents) {
  for (const wire of agent.wires) {
    for (const stream of [false, true]) {
      const how = stream ? 'streamed' : 'in one piece'
      t.test(`[FMT-9] ${agent.name} works at a ${wire} upstream, ${how}`, async (t) => {
        const { mock, upstream, asMocked } = gateway
        upstream.script(asMocked)
        const { model } = channels[wire]
        let body = agent.ask(recorded(agent.fixture), model, stream)
        for (const [round, { name, input, own }] of agent.rounds.entries()) {
          mock.clearFixtures()
          mock.onMessage(/.*/, {
            toolCalls: [{ name, arguments: JSON.stringify(input) }],
            ...(wire === 'generative' && { finishReason: 'stop' }),
          })
          const answer = await ask(agent, model, stream, body)
          const request = heard(wire, upstream.requests.at(-1)!)
          t.ok(
            request.tools.some((tool) => tool.name === name),
            `${name} is declared`,
          )
          t.equal(request.streams, stream)
          t.equal(request.calls.length, round, 'with every call so far')
          t.equal(request.results.length, round, 'and every result')
          t.match(answer.calls[0]?.own, own, `round ${round + 1}`)
          body = agent.next(body, answer, `done ${round}`)
        }
        mock.clearFixtures()
        mock.onMessage(/.*/, { content: 'All done.' })
        t.equal((await ask(agent, model, stream, body)).text, 'All done.')
        const last = heard(wire, upstream.requests.at(-1)!)
        t.strictSame(
          last.calls.map(({ name, input }) => ({ name, input })),
          agent.rounds.map(({ name, input }) => ({ name, input })),
          'calls stand in the conversation as the upstream made them',
        )
        t.strictSame(
          last.results.map(({ id }) => id),
          last.calls.map(({ id }) => id),
        )
      })
    }
  }
}

t.test('[FMT-9] of tools and conversation only what is named does not go out', async (t) => {
  const { mock, upstream, asMocked } = gateway
  upstream.script(asMocked)
  mock.clearFixtures()
  mock.onMessage(/.*/, { content: 'Hello.' })
  const lost: Readonly<Record<string, readonly string[]>> = {
    codex: ['tools.web_search', 'tools.format'],
    'codex-namespaces': ['tools.web_search'],
    'codex-additional-tools': ['tools.format'],
    'claude-code': ['turns.output_config'],
    'gemini-cli': [],
  }
  for (const agent of agents) {
    for (const wire of agent.wires) {
      const { model } = channels[wire]
      const request = agent.ask(recorded(agent.fixture), model, false)
      const response = await send(agent, model, false, request)
      await response.text()
      const header = response.headers.get('x-waybill-lost') ?? ''
      const named = header.split(', ').filter((field) => /^(tools|turns|parts|opaque)/.test(field))
      const moved = wire === 'generative' && agent.fixture === 'claude-code' ? ['turns.system'] : []
      t.strictSame(named, [...moved, ...lost[agent.fixture]!], `${agent.fixture} ${wire}`)
    }
  }
})

t.test("[FMT-9] a schema in the format's older spelling goes out as JSON Schema", async (t) => {
  const { mock, upstream, asMocked } = gateway
  upstream.script(asMocked)
  mock.clearFixtures()
  mock.onMessage(/.*/, { content: '{"complexity_reasoning":"Easy.","complexity_score":1}' })
  const cli = agents.find(({ fixture }) => fixture === 'gemini-cli')!
  for (const wire of ['chat', 'messages', 'responses'] as const) {
    await ask(cli, channels[wire].model, false, recorded('gemini-cli-router'))
    const { schema } = heard(wire, upstream.requests.at(-1)!)
    t.match(schema, {
      type: 'object',
      properties: {
        complexity_reasoning: { type: 'string' },
        complexity_score: { type: 'integer' },
      },
    })
  }
})

function recorded(name: string): Body {
  const file = new URL(`../fixtures/agents/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).body
}

function send(agent: Agent, model: string, stream: boolean, body: Body): Promise<Response> {
  return fetch(`${gateway.url}${agent.path(model, stream)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.key}`,
      'anthropic-version': '2023-06-01',
      ...agent.headers,
    },
    body: JSON.stringify(body),
  })
}

async function ask(agent: Agent, model: string, stream: boolean, body: Body): Promise<Answer> {
  const response = await send(agent, model, stream, body)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  if (!stream) return agent.whole(JSON.parse(text))
  const frames = text
    .split(/\r?\n\r?\n/)
    .flatMap((frame) => /^data: (\{.*)$/ms.exec(frame)?.[1] ?? [])
  return agent.streamed(frames.map((frame) => JSON.parse(frame)))
}
