import { counts, data, type Form, piecesOf, type Said, type SaidCall } from './said.js'

const usage = {
  prompt_tokens: counts.input,
  completion_tokens: counts.output,
  total_tokens: counts.input + counts.output,
}
export const done = 'data: [DONE]\n\n'
const base = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm' }

export const chat: Form = {
  whole: ({ thought, text, calls = [] }) => ({
    ...base,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(thought !== undefined && { reasoning_content: thought }),
          ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage,
  }),
  stream(said) {
    const reason = said.calls === undefined ? 'stop' : 'tool_calls'
    const chunks = [...deltas(said).map((delta) => chunk(delta, null)), chunk({}, reason)]
    const last = { ...base, object: 'chat.completion.chunk', choices: [], usage }
    return [...chunks.map(data), data(last), done]
  },
}

function callOf({ id, name, input }: SaidCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function chunk(delta: object, finish_reason: string | null) {
  const choices = [{ index: 0, delta, finish_reason }]
  return { ...base, object: 'chat.completion.chunk', choices }
}

function deltas({ thought, text, calls = [] }: Said): object[] {
  return [
    { role: 'assistant', content: '' },
    ...(thought === undefined ? [] : [{ reasoning_content: thought }]),
    ...(text === undefined ? [] : [{ content: text }]),
    ...calls.flatMap(({ id, name, input }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...piecesOf(input).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ]
}
