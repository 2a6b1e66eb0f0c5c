/** Codex, with the three sets of tools it sends: they go by what it knows of the model. */
import type { Agent, Body } from './agent.js'

const outputOf: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
}

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

const speaking = {
  speaks: 'responses',
  path: () => '/v1/responses',
  ask: (body, model, stream) => ({ ...body, model, stream }),
  whole(body) {
    const items: Body[] = body.output
    return {
      text: items
        .flatMap(({ type, content }) => (type === 'message' ? content : []))
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
} satisfies Omit<Agent, 'name' | 'fixture' | 'calls'>

const patch = '*** Begin Patch\n*** Add File: "ä.txt"\n+x\n*** End Patch\n'

export const codex: readonly Agent[] = [
  {
    ...speaking,
    name: 'codex',
    fixture: 'codex',
    calls: [
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
    ...speaking,
    name: 'codex with a model it does not know',
    fixture: 'codex-namespaces',
    calls: [
      {
        name: 'exec_command',
        input: { cmd: 'ls' },
        own: { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' },
      },
      {
        name: 'multi_agent_v1__spawn_agent',
        input: { message: 'go' },
        own: {
          type: 'function_call',
          name: 'spawn_agent',
          namespace: 'multi_agent_v1',
          arguments: '{"message":"go"}',
        },
      },
    ],
  },
  {
    ...speaking,
    name: 'codex with tools inside its input',
    fixture: 'codex-additional-tools',
    calls: [
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
        own: {
          type: 'function_call',
          name: 'list_agents',
          namespace: 'collaboration',
          arguments: '{}',
        },
      },
    ],
  },
]
