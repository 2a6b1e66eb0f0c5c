/** Mistral: fields and turns in its own spelling, refusals that name the field, thoughts as parts of the content. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/mistral/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'

const adapter = adapterOf(create(), 'chat')
const channel = { id: 1, type: 42, baseUrl: 'https://api.mistral.ai', settings: {} }
const adjust = (wire: JsonObject) => adapter.adjust!(wire, channel)
const turns = (messages: readonly JsonObject[]) => {
  const adjusted = adjust({ messages }).messages
  return Array.isArray(adjusted) ? adjusted.filter(isObject) : []
}
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/mistral/${name}`, import.meta.url))

t.test('fields get the names of this service, and keep explicit zeros', async (t) => {
  t.strictSame(adjust({ model: 'm', max_completion_tokens: 0, seed: 0, temperature: 0 }), {
    model: 'm',
    max_tokens: 0,
    random_seed: 0,
    temperature: 0,
  })
  t.strictSame(adjust({ max_tokens: 5, max_completion_tokens: 7 }), { max_tokens: 7 })
  t.strictSame(adjust({ user: 'u', store: false, stream_options: {}, logit_bias: {} }), {
    logit_bias: {},
  })
  t.equal(adapter.requestsUsage, false)
})

t.test('a tool call has the same nine characters wherever it is named', async (t) => {
  const id = 'call_PTLP8xhu3uwZk4l3nlnrrJha'
  const [call, result] = turns([
    { role: 'assistant', content: '', tool_calls: [{ id, type: 'function' }] },
    { role: 'tool', tool_call_id: id, content: '' },
  ])
  t.match(call, { tool_calls: [{ id: /^[a-zA-Z0-9]{9}$/, type: 'function' }] })
  t.strictSame(call?.tool_calls, [{ id: result?.tool_call_id, type: 'function' }])
  const own = [{ role: 'tool', tool_call_id: 'D681PevKs', content: '' }]
  t.strictSame(turns(own), own)
})

t.test('an answer stands between a tool’s result and the user', async (t) => {
  const user = { role: 'user', content: 'Go on' }
  const result = { role: 'tool', tool_call_id: 'D681PevKs', content: 'x' }
  t.strictSame(turns([result, user]), [result, { role: 'assistant', content: 'OK.' }, user])
  t.strictSame(turns([result, result]), [result, result])
})

t.test('a last answer is to be continued, unless it calls tools or states otherwise', async (t) => {
  const answer = { role: 'assistant', content: 'Once' }
  const user = { role: 'user', content: 'Hi' }
  t.strictSame(turns([user, answer]), [user, { ...answer, prefix: true }])
  t.strictSame(turns([answer, user]), [answer, user])
  const kept = [{ ...answer, prefix: false }]
  t.strictSame(turns(kept), kept)
  const calls = [{ ...answer, tool_calls: [{ id: 'D681PevKs' }] }]
  t.strictSame(turns(calls), calls)
})

t.test('roles and fields this service does not know are spelled or left out', async (t) => {
  t.strictSame(
    turns([
      { role: 'system', content: 'Brief.' },
      { role: 'assistant', content: 'Hi', reasoning_content: 'x', refusal: null, audio: null },
      { role: 'user', content: '' },
    ]),
    [
      { role: 'system', content: 'Brief.' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: '' },
    ],
  )
})

t.test('a request that is right already stays the same object', async (t) => {
  const wire = Object.freeze({
    model: 'm',
    messages: [
      { role: 'system', content: '' },
      { role: 'user', content: 'Hi' },
    ],
  })
  t.equal(adjust(wire), wire)
})

t.test('[FMT-17] a field that is refused is named to the client', async (t) => {
  t.match(adapter.fail(422, {}, fixture('extra-field.json')), {
    blame: 'client',
    status: 422,
    param: 'logit_bias',
    message: /logit_bias: Extra inputs are not permitted/,
    type: 'invalid_request_error',
  })
})

t.test('thoughts inside the content are thoughts', async (t) => {
  const decoder = chat().decodeStream()
  const events = [...decoder.push(fixture('thinking.sse')), ...decoder.flush()]
  const kinds = events.flatMap((event) => (event.type === 'open' ? [event.part.kind] : []))
  t.strictSame(kinds, ['reasoning', 'text'])
  t.match(usageOf(events), { input: 12, output: 18 })
})

t.test('embeddings are asked for as numbers, their dimensions by the name used here', async (t) => {
  const { adjust } = adapterOf(create(), 'embeddings')
  const spelled = (wire: JsonObject) => adjust?.(wire, channel)
  t.strictSame(spelled({ input: 'a', dimensions: 256, encoding_format: 'base64', user: 'u' }), {
    input: 'a',
    output_dimension: 256,
    encoding_format: 'float',
  })
  t.strictSame(spelled({ input: 'a', dimensions: null }), { input: 'a' })
  const plain = { input: 'a', output_dimension: 256, output_dtype: 'int8' }
  t.equal(spelled(plain), plain, 'nothing to change is nothing changed')
})
