import { counts, event, type Form, piecesOf, type Said } from './said.js'

const usage = { tokens: { input_tokens: counts.input, output_tokens: counts.output } }

export const cohere: Form = {
  whole: (said) => ({
    id: 'c1',
    finish_reason: reasonOf(said),
    message: {
      role: 'assistant',
      ...(said.text !== undefined && { content: [{ type: 'text', text: said.text }] }),
      ...(said.calls !== undefined && {
        tool_plan: 'I will look.',
        tool_calls: said.calls.map(({ id, name, input }) => ({
          ...{ id, type: 'function' },
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
    usage,
  }),
  stream(said) {
    const finish = { finish_reason: reasonOf(said), usage }
    const all = [
      { type: 'message-start', id: 'c1', delta: { message: { role: 'assistant', content: [] } } },
      ...textEvents(said),
      ...callEvents(said),
      { type: 'message-end', id: 'c1', delta: finish },
    ]
    return all.map((one) => event(one.type, one))
  },
}

function textEvents({ text }: Said) {
  if (text === undefined) return []
  return [
    {
      type: 'content-start',
      index: 0,
      delta: { message: { content: { type: 'text', text: '' } } },
    },
    { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
    { type: 'content-end', index: 0 },
  ]
}

function callEvents({ calls = [] }: Said) {
  return calls.flatMap(({ id, name, input }, index) => {
    const call = { id, type: 'function', function: { name, arguments: '' } }
    return [
      { type: 'tool-call-start', index, delta: { message: { tool_calls: call } } },
      ...piecesOf(input).map((piece) => ({
        ...{ type: 'tool-call-delta', index },
        delta: { message: { tool_calls: { function: { arguments: piece } } } },
      })),
      { type: 'tool-call-end', index },
    ]
  })
}

function reasonOf({ calls }: Said): string {
  return calls === undefined ? 'COMPLETE' : 'TOOL_CALL'
}
