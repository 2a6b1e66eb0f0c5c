/** What an adapter with a form of its own does not say it expresses: refused or reported, by every field a call may hold. */
import t from 'tap'
import type { Call, Part } from '../../../../kernel/contract/call.js'
import type { Expressible } from '../../../../kernel/contract/provider.js'
import { ownFormUnsupportedFields } from '../../../../kernel/toolkit/stage/own-form.js'

const user = (...parts: Part[]) => ({ role: 'user', parts }) as const
const hello = user({ kind: 'text', text: 'Hello' })
const now = { kind: 'function', name: 'now' } as const

const plain: Call = {
  model: 'm',
  turns: [hello],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

const media = (type: 'image' | 'audio' | 'video' | 'file'): Partial<Call> => ({
  turns: [user({ kind: 'media', type, source: { url: 'https://x.example/a' } })],
})

/** A call that holds it, and what the client hears of it. */
const rows: readonly (readonly [Expressible, Partial<Call>, refuse: string[], report: string[]])[] =
  [
    ['system', { turns: [{ ...hello, role: 'system' }, hello] }, ['turns.system'], []],
    ['system', { turns: [{ ...hello, role: 'developer' }, hello] }, ['turns.system'], []],
    ['tools', { tools: [now] }, ['tools'], []],
    [
      'tools',
      { turns: [user({ kind: 'toolCall', id: 'a', name: 'now', input: '{}' })] },
      ['toolCall'],
      [],
    ],
    [
      'tools',
      { turns: [user({ kind: 'toolResult', callId: 'a', parts: [] })] },
      ['toolResult'],
      [],
    ],
    [
      'serverTools',
      { tools: [{ kind: 'server', name: 'search', only: {} }] },
      [],
      ['tools.search'],
    ],
    [
      'serverTools',
      {
        tools: [{ kind: 'server', name: 'search', only: {} }],
        toolChoice: { kind: 'named', name: 'search' },
      },
      ['tools.search'],
      [],
    ],
    [
      'serverTools',
      { turns: [user({ kind: 'serverTool', id: 's', name: 'search', of: 'messages' })] },
      [],
      ['serverTool'],
    ],
    ['image', media('image'), ['media'], []],
    ['audio', media('audio'), ['media'], []],
    ['video', media('video'), ['media'], []],
    ['file', media('file'), ['media'], []],
    ['output.json', { output: { kind: 'json' } }, ['output'], []],
    ['output.schema', { output: { kind: 'schema', schema: {} } }, ['output'], []],
    ['modalities', { modalities: ['text', 'audio'] }, ['modalities'], []],
    ['modalities', { audio: { voice: 'x', format: 'mp3' } }, ['audio'], []],
    ['reasoning', { reasoning: { effort: 'low' } }, [], ['reasoning']],
    [
      'reasoning.history',
      { turns: [user({ kind: 'reasoning', text: 'x' })] },
      [],
      ['reasoning.history'],
    ],
    ['limit', { limit: { tokens: 5, field: 'max_tokens' } }, [], ['limit']],
    ['sampling.temperature', { sampling: { temperature: 0 } }, [], ['sampling.temperature']],
    ['sampling.topP', { sampling: { topP: 0 } }, [], ['sampling.topP']],
    ['sampling.topK', { sampling: { topK: 1 } }, [], ['sampling.topK']],
    ['sampling.seed', { sampling: { seed: 0 } }, [], ['sampling.seed']],
    [
      'sampling.presencePenalty',
      { sampling: { presencePenalty: 1 } },
      [],
      ['sampling.presencePenalty'],
    ],
    [
      'sampling.frequencyPenalty',
      { sampling: { frequencyPenalty: 1 } },
      [],
      ['sampling.frequencyPenalty'],
    ],
    ['sampling.logitBias', { sampling: { logitBias: { 5: 1 } } }, ['sampling.logitBias'], []],
    ['sampling.stop', { sampling: { stop: ['x'] } }, ['sampling.stop'], []],
    ['sampling.choices', { sampling: { choices: 2 } }, ['sampling.choices'], []],
    ['sampling.logprobs', { sampling: { logprobs: 0 } }, ['sampling.logprobs'], []],
    ['user', { user: 'u' }, [], ['user']],
    ['metadata', { metadata: { a: 'b' } }, [], ['metadata']],
    ['turns.name', { turns: [{ ...hello, name: 'ada' }] }, [], ['turns.name']],
    ['cache', { turns: [user({ kind: 'text', text: 'x', cache: {} })] }, [], ['cache']],
  ]

t.test('[FMT-9] an adapter that reveals nothing loses nothing in silence', async (t) => {
  t.same(ownFormUnsupportedFields({}, plain), { refuse: [], report: [] })
  for (const [word, over, refuse, report] of rows) {
    t.same(ownFormUnsupportedFields({}, { ...plain, ...over }), { refuse, report }, word)
    const content = ownFormUnsupportedFields({ expresses: [word] }, { ...plain, ...over })
    t.same(content, { refuse: [], report: [] }, `${word}, once it is expressed`)
  }
})

t.test('[FMT-9] what goes with tools is requested where there are tools', async (t) => {
  const losses = (over: Partial<Call>) =>
    ownFormUnsupportedFields({ expresses: ['tools'] }, { ...plain, ...over })
  for (const kind of ['required', 'none'] as const) {
    t.same(losses({ tools: [now], toolChoice: { kind } }).refuse, ['toolChoice'], kind)
  }
  t.same(losses({ tools: [now], toolChoice: { kind: 'auto' } }).refuse, [])
  t.same(losses({ tools: [now], parallelTools: false }).report, ['parallelTools'])
  t.same(losses({ parallelTools: false }).report, [])
  t.same(
    losses({ toolChoice: { kind: 'required' } }).refuse,
    ['toolChoice'],
    'none is there to be used',
  )
  const none = { ...plain, tools: [now], toolChoice: { kind: 'none' } } as const
  t.same(
    ownFormUnsupportedFields({}, none).refuse,
    [],
    'tools that must not be called may be left out',
  )
})

t.test('[FMT-9] fields of other formats are named, those of the upstream pass', async (t) => {
  const call: Call = {
    ...plain,
    only: { chat: { inputs: {}, web_search_options: {}, store: true }, messages: { thread: 'x' } },
  }
  t.same(ownFormUnsupportedFields({ ownFields: ['inputs'] }, call), {
    refuse: ['web_search_options', 'thread'],
    report: ['store'],
  })
})

t.test('[FMT-9] what an adapter states beside what it expresses comes on top, once', async (t) => {
  const unsupportedFields = () => ({ refuse: ['media'], report: ['limit'] })
  const call: Call = { ...plain, ...media('image'), limit: { tokens: 1, field: 'max_tokens' } }
  t.same(ownFormUnsupportedFields({ unsupportedFields }, call), {
    refuse: ['media'],
    report: ['limit'],
  })
  t.same(ownFormUnsupportedFields({ unsupportedFields, expresses: ['image', 'limit'] }, call), {
    refuse: ['media'],
    report: ['limit'],
  })
})
