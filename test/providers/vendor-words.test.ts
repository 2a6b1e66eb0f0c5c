/** What vendors take less of than the makers of the formats: left out, said otherwise, and named. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import {
  accepted,
  choiceLost,
  elsewhere,
  leftToModel,
  refusedByMistral,
  refusedByOpenAi,
  refusedInChat,
  refusedOf,
  takenByMistral,
  takenInChat,
  templates,
} from '../../kernel/toolkit/vendors/index.js'

const user = { role: 'user', content: 'hello' }
const system = (content: string) => ({ role: 'system', content })

t.test(
  '[FMT-9] instructions are one message, the first: later ones go out as the user’s',
  async (t) => {
    const wire = { model: 'm', messages: [system('A'), system('B'), user, system('C')] }
    t.strictSame(takenInChat(templates, wire).messages, [
      system('A\n\nB'),
      user,
      { role: 'user', content: 'C' },
    ])
    t.strictSame(refusedInChat(templates, wire, 'm'), ['messages.role'])
    const plain = { model: 'm', messages: [system('A'), user] }
    t.equal(takenInChat(templates, plain), plain, 'the same object where nothing changes')
    t.strictSame(refusedInChat(templates, plain, 'm'), [])
    const marked = { type: 'text', text: 'B', cache_control: { type: 'ephemeral' } }
    const parts = {
      model: 'm',
      messages: [system('A'), { role: 'system', content: [marked] }, user],
    }
    t.strictSame(
      takenInChat(templates, parts).messages,
      [{ role: 'system', content: [{ type: 'text', text: 'A' }, marked] }, user],
      'what a text cannot hold stays a part',
    )
  },
)

t.test(
  '[FMT-9] messages have two roles where the maker of the format is not the vendor',
  async (t) => {
    const turn = {
      role: 'system',
      content: [{ type: 'text', text: 'C' }],
      output_config: { effort: 'low' },
    }
    const directive = { role: 'system', content: [], output_config: { effort: 'low' } }
    const wire = { model: 'm', messages: [user, turn, directive], context_management: {} }
    t.strictSame(refusedOf(elsewhere, wire, 'm'), [
      'context_management',
      'messages.role',
      'messages.output_config',
    ])
    t.strictSame(accepted(elsewhere, wire).messages, [
      user,
      { role: 'user', content: turn.content },
    ])
    const plain = { model: 'm', messages: [user] }
    t.equal(accepted(elsewhere, plain), plain)
  },
)

t.test('[FMT-9] contents, parameters and members as a service wants them', async (t) => {
  const source = { source: 's', read: '2026-11-27' }
  const facts = {
    plainContent: source,
    parameters: source,
    messages: [{ members: ['name'], ...source }],
    renamed: [{ from: 'reasoning_content', to: 'reasoning', ...source }],
    efforts: [{ models: /oss/, known: ['low'], ...source }],
  }
  const image = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }
  const wire: JsonObject = {
    model: 'oss',
    reasoning_effort: 'high',
    messages: [
      {
        role: 'user',
        name: 'u',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
      { role: 'assistant', content: null, reasoning_content: 'r' },
    ],
    tools: [{ type: 'function', function: { name: 'look' } }],
  }
  t.strictSame(refusedInChat(facts, wire, 'oss'), ['reasoning_effort', 'messages.name'])
  t.strictSame(refusedInChat(facts, wire, 'another'), ['messages.name'])
  t.strictSame(takenInChat(facts, wire).messages, [
    { role: 'user', content: 'a\nb' },
    { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
    { role: 'assistant', content: '', reasoning: 'r' },
  ])
  t.match(takenInChat(facts, wire).tools, [{ function: { parameters: { type: 'object' } } }])
})

t.test(
  '[FMT-9] a tool that is named is the only one offered where it can only be left to the model',
  async (t) => {
    const look = { type: 'function', function: { name: 'look' } }
    const other = { type: 'function', function: { name: 'other' } }
    const named = {
      tools: [look, other],
      tool_choice: { type: 'function', function: { name: 'look' } },
    }
    t.strictSame(choiceLost(named), ['tool_choice.function'])
    t.strictSame(leftToModel(named), { tools: [look], tool_choice: 'auto' })
    t.strictSame(choiceLost({ tools: [look], tool_choice: 'required' }), ['tool_choice'])
    t.strictSame(leftToModel({ tools: [look], tool_choice: 'none' }), {})
    t.strictSame(choiceLost({ tools: [look], tool_choice: 'auto' }), [])
  },
)

t.test('[FMT-9] models of OpenAI have dials or sampling, by what they do', async (t) => {
  const asked = { temperature: 0.2, top_p: 1, reasoning_effort: 'low', verbosity: 'low' }
  t.strictSame(refusedByOpenAi(asked, 'gpt-4o'), ['reasoning_effort', 'verbosity'])
  t.strictSame(refusedByOpenAi(asked, 'gpt-5-mini'), ['temperature'])
  t.strictSame(refusedByOpenAi(asked, 'gpt-5.1'), ['temperature'])
  t.strictSame(refusedByOpenAi({ temperature: 0.2 }, 'gpt-5.1'), [])
  t.strictSame(refusedByOpenAi({ temperature: 0.2 }, 'gpt-5.6-sol'), ['temperature'])
  t.strictSame(
    refusedByOpenAi({ temperature: 0.2, reasoning: { effort: 'none' } }, 'gpt-5.6-sol'),
    [],
  )
  t.strictSame(refusedByOpenAi(asked, 'another-makers-model'), [])
  t.strictSame(refusedByOpenAi({ text: { verbosity: 'low' } }, 'gpt-4.1'), ['text.verbosity'])
})

t.test(
  '[FMT-9] Mistral’s models take two words for effort, and no instructions behind a result',
  async (t) => {
    const call = { id: 'abcdefgh1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const wire = {
      model: 'mistral-medium-latest',
      reasoning_effort: 'medium',
      messages: [
        user,
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'seen' },
        system('Changed.'),
      ],
    }
    t.strictSame(refusedByMistral(wire, wire.model), ['messages.role'])
    const taken = takenByMistral(wire)
    t.match(taken, { reasoning_effort: 'high' })
    t.strictSame((taken.messages as JsonObject[]).slice(3), [
      { role: 'assistant', content: 'OK.' },
      { role: 'user', content: 'Changed.' },
    ])
    t.strictSame(refusedByMistral({ reasoning_effort: 'low' }, 'codestral-2508'), [
      'reasoning_effort',
    ])
  },
)
