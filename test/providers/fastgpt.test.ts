/** FastGPT: what its applications do not heed of a chat request, refused where the answer hangs on it. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/chat-compatible/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat', 'chat')
const fastgpt = { id: 1, type: 22, baseUrl: 'https://fastgpt.run/api/openapi', settings: {} }
const wire = (over: JsonObject): JsonObject => ({ model: 'app', messages: [], ...over })
const tool = { type: 'function', function: { name: 'now' } }

const refused: readonly (readonly [name: string, over: JsonObject])[] = [
  ['tools', { tools: [tool] }],
  ['tools', { tools: [tool], tool_choice: 'auto' }],
  ['functions', { functions: [{ name: 'now' }] }],
  ['response_format', { response_format: { type: 'json_object' } }],
  ['n', { n: 2 }],
  ['stop', { stop: '\n' }],
]

for (const [name, over] of refused) {
  t.test(`[FMT-9] ${JSON.stringify(over)} is refused by name`, (t) => {
    t.throws(() => chat.adjust!(wire(over), fastgpt), {
      code: 'not_expressible',
      param: name,
    })
    const other = { ...fastgpt, type: 31 }
    t.doesNotThrow(() => chat.adjust!(wire(over), other))
    t.end()
  })
}

t.test('what asks for nothing is taken', (t) => {
  const idle = [
    { tools: [] },
    { tools: [tool], tool_choice: 'none' },
    { response_format: { type: 'text' } },
    { n: 1, stop: null },
  ]
  for (const over of idle) t.doesNotThrow(() => chat.adjust!(wire(over), fastgpt))
  t.end()
})

t.test('what only tunes the answer is left out and named', (t) => {
  const sent = wire({ temperature: 0.2, max_tokens: 9, seed: 1, user: 'u-1' })
  t.same(chat.refuses!(sent, fastgpt, 'app'), ['temperature', 'max_tokens', 'seed'])
  t.end()
})
