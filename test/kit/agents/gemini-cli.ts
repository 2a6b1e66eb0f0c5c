import type { Agent, Body } from './agent.js'

const speaking = {
  speaks: 'generative',
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
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
} satisfies Omit<Agent, 'name' | 'fixture' | 'calls'>

export const geminiCli: Agent = {
  ...speaking,
  name: 'Gemini CLI',
  fixture: 'gemini-cli',
  calls: [
    {
      name: 'read_file',
      input: { file_path: 'a' },
      own: { name: 'read_file', args: { file_path: 'a' } },
    },
    { name: 'glob', input: { pattern: '*' }, own: { name: 'glob', args: { pattern: '*' } } },
  ],
}

/** Its first call, which asks which model to take. */
export const router: Agent = {
  ...speaking,
  name: 'Gemini CLI’s router',
  fixture: 'gemini-cli-router',
  calls: [],
}
