/** The channel's system prompt in each format's words, and in the canonical call of upstreams with a form of their own. */
import t from 'tap'
import type { Call } from '../../../../kernel/contract/call.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { withSystemTurn } from '../../../../plugins/stages/mapping/system-turn.js'
import { channel } from '../../../kit/line-fakes.js'
import { wireOf } from './stage-kit.js'

type Row = readonly [name: string, sent: JsonObject, gentle: JsonObject, always: JsonObject]

const user = { role: 'user', content: 'hi' }
const block = { type: 'text', text: 'P' }
const part = { text: 'P' }

const rows: Readonly<Record<string, readonly Row[]>> = {
  chat: [
    [
      'none',
      { messages: [user] },
      { messages: [{ role: 'system', content: 'P' }, user] },
      { messages: [{ role: 'system', content: 'P' }, user] },
    ],
    [
      'a text',
      { messages: [{ role: 'system', content: 'own' }, user] },
      { messages: [{ role: 'system', content: 'own' }, user] },
      { messages: [{ role: 'system', content: 'P\n\nown' }, user] },
    ],
    [
      'blocks of a developer',
      { messages: [user, { role: 'developer', content: [{ type: 'text', text: 'own' }] }] },
      { messages: [user, { role: 'developer', content: [{ type: 'text', text: 'own' }] }] },
      { messages: [user, { role: 'developer', content: [block, { type: 'text', text: 'own' }] }] },
    ],
    ['no conversation', { messages: 'x' }, { messages: 'x' }, { messages: 'x' }],
  ],
  messages: [
    ['none', {}, { system: 'P' }, { system: 'P' }],
    ['an empty one', { system: '' }, { system: 'P' }, { system: 'P' }],
    ['a text', { system: 'own' }, { system: 'own' }, { system: 'P\n\nown' }],
    [
      'blocks',
      { system: [{ type: 'text', text: 'own' }] },
      { system: [{ type: 'text', text: 'own' }] },
      { system: [block, { type: 'text', text: 'own' }] },
    ],
    ['no blocks', { system: [] }, { system: [block] }, { system: [block] }],
  ],
  generative: [
    [
      'none',
      {},
      { systemInstruction: { parts: [part] } },
      { systemInstruction: { parts: [part] } },
    ],
    [
      'parts',
      { systemInstruction: { role: 'user', parts: [{ text: 'own' }] } },
      { systemInstruction: { role: 'user', parts: [{ text: 'own' }] } },
      { systemInstruction: { role: 'user', parts: [part, { text: 'own' }] } },
    ],
    [
      'the other spelling',
      { system_instruction: { parts: { text: 'own' } } },
      { system_instruction: { parts: { text: 'own' } } },
      { system_instruction: { parts: [part, { text: 'own' }] } },
    ],
    [
      'a text',
      { systemInstruction: 'own' },
      { systemInstruction: 'own' },
      { systemInstruction: 'P\n\nown' },
    ],
  ],
  responses: [
    [
      'none',
      { input: 'hi' },
      { input: 'hi', instructions: 'P' },
      { input: 'hi', instructions: 'P' },
    ],
    ['a text', { instructions: 'own' }, { instructions: 'own' }, { instructions: 'P\n\nown' }],
    [
      'an item',
      { input: [{ role: 'developer', content: 'own' }] },
      { input: [{ role: 'developer', content: 'own' }] },
      { input: [{ role: 'developer', content: 'own' }], instructions: 'P' },
    ],
    [
      'null',
      { instructions: null, input: [user] },
      { instructions: 'P', input: [user] },
      { instructions: 'P', input: [user] },
    ],
  ],
}

for (const [format, table] of Object.entries(rows)) {
  t.test(`a system prompt in the words of ${format}`, async (t) => {
    for (const [name, sent, gentle, always] of table) {
      const before = JSON.stringify(sent)
      const given = (overrideSystemPrompt: boolean) => ({
        format,
        channel: { systemPrompt: 'P', overrideSystemPrompt },
        state: { adapter: { format, knowsDeveloper: () => true } as never },
      })
      t.same(wireOf(sent, given(false)), gentle, name)
      if (JSON.stringify(gentle) === before)
        t.equal(wireOf(sent, given(false)), sent, `${name}: untouched`)
      t.same(wireOf(sent, given(true)), always, `${name}, before it`)
      t.equal(JSON.stringify(sent), before, `${name}: the input stays`)
    }
  })
}

t.test('other operations have none', async (t) => {
  const work = { limits: () => ({}), estimate: () => ({}) } as never
  const sent = { model: 'm', messages: [user], input: 'hi' }
  const given = { channel: { systemPrompt: 'P' }, state: { work, upstreamFormat: undefined } }
  t.equal(wireOf(sent, given), sent)
})

t.test('a call for an upstream with a form of its own gets a turn in front', async (t) => {
  const call: Call = {
    model: 'm',
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
    tools: [],
    stream: false,
    wantsUsage: false,
    sampling: {},
  }
  const turn = { role: 'system', parts: [{ kind: 'text', text: 'P' }] } as const
  t.equal(withSystemTurn(call, channel(1)), call)
  const first = withSystemTurn(call, channel(1, { systemPrompt: 'P' }))
  t.same(first.turns, [turn, ...call.turns])
  t.equal(withSystemTurn(first, channel(1, { systemPrompt: 'Q' })), first)
  const both = withSystemTurn(first, channel(1, { systemPrompt: 'P', overrideSystemPrompt: true }))
  t.same(both.turns, [turn, turn, ...call.turns])
})
