import type { Agent, Body } from './agent.js'

/** It tells of what changed meanwhile where it stands in the conversation. */
const notice = {
  role: 'system',
  content: [{ type: 'text', text: 'The file /a changed on disk.' }],
}

export const claudeCode: Agent = {
  name: 'Claude Code',
  fixture: 'claude-code',
  speaks: 'messages',
  path: () => '/v1/messages?beta=true',
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
      if (delta.type === 'input_json_delta') json[index] = (json[index] ?? '') + delta.partial_json
    }
    content.forEach((block, index) => {
      if (block.type === 'tool_use') block.input = JSON.parse(json[index] || '{}')
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
      notice,
    ],
  }),
  calls: [
    { name: 'Bash', input: { command: 'ls' }, own: { name: 'Bash', input: { command: 'ls' } } },
    {
      name: 'Read',
      input: { file_path: '/a' },
      own: { name: 'Read', input: { file_path: '/a' } },
    },
  ],
}
