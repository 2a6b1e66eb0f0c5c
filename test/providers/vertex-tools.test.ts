/** Tool rounds on Vertex AI: the service refuses ids of calls, clients of other formats need them. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { events, json } from '../kit/upstream.js'
import { objectsWithin, strictly } from '../kit/vendor.js'
import { noToolIds } from '../kit/vendors/vertex.js'

const gateway = await scriptedGateway(t, { channel: { type: 41, key: 'AIzaKey' } })
const { upstream, url, key } = gateway

const calls = [
  { functionCall: { name: 'look', args: { at: 'one' } } },
  { functionCall: { name: 'look', args: { at: 'two' } } },
]
const answer = (parts: readonly JsonObject[]) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 },
  responseId: 'r1',
})
const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

const tools = [
  {
    type: 'function',
    function: {
      name: 'look',
      parameters: { type: 'object', properties: { at: { type: 'string' } } },
    },
  },
]

/** The results that went out, in their order. */
function results(): unknown[] {
  const parts = objectsWithin(upstream.requests.at(-1)?.json?.contents)
  return parts.flatMap((one) => one.functionResponse ?? one.function_response ?? [])
}

interface Called {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

t.test(
  'a second tool round passes: ids for the client, none for the service, results in order',
  async (t) => {
    const user = { role: 'user', content: 'Look.' }
    upstream.script(strictly([noToolIds], json(200, answer(calls))))
    const first = await gateway.chat(ask({ messages: [user], tools }))
    const { choices } = (await first.json()) as {
      choices: { message: { tool_calls: Called[] } }[]
    }
    const message = choices[0]!.message
    const [one, two] = message.tool_calls
    t.equal(new Set([one!.id, two!.id]).size, 2, 'each call has an id of its own')

    upstream.script(strictly([noToolIds], json(200, answer([{ text: 'Seen.' }]))))
    const second = await gateway.chat(
      ask({
        tools,
        messages: [
          user,
          message,
          { role: 'tool', tool_call_id: two!.id, content: '{"saw":"second"}' },
          { role: 'tool', tool_call_id: one!.id, content: '{"saw":"first"}' },
        ],
      }),
    )
    t.equal(second.status, 200, await second.clone().text())
    t.match(await second.json(), { choices: [{ message: { content: 'Seen.' } }] })
    t.match(results(), [{ response: { saw: 'first' } }, { response: { saw: 'second' } }])
  },
)

t.test('streamed calls have ids as well, and the next round passes', async (t) => {
  upstream.script(strictly([noToolIds], events(frame(answer(calls)))))
  const text = await (await gateway.chat(ask({ tools, stream: true }))).text()
  const ids = [...text.matchAll(/"id":"(call_[^"]+)"/g)].map(([, id]) => id!)
  t.equal(new Set(ids).size, 2)
  const assistant = {
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id, index) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: `{"at":"${index}"}` },
    })),
  }
  upstream.script(strictly([noToolIds], events(frame(answer([{ text: 'Seen.' }])))))
  const next = await gateway.chat(
    ask({
      stream: true,
      messages: [
        { role: 'user', content: 'Look.' },
        assistant,
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: id })),
      ],
    }),
  )
  t.match(await next.text(), 'Seen.')
})

t.test(
  'a client of the same format gets its ids taken out too, and its results put in order',
  async (t) => {
    upstream.script(strictly([noToolIds], json(200, answer([{ text: 'Seen.' }]))))
    const call = (id: string) => ({
      functionCall: { id, name: 'look', args: {} },
      thoughtSignature: 'c2ln',
    })
    const result = (id: string) => ({
      function_response: { id, name: 'look', response: { of: id } },
    })
    const reply = await fetch(`${url}/v1beta/models/${model}:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        contents: [
          { role: 'user', parts: [{ text: 'Look.' }] },
          { role: 'model', parts: [call('a'), call('b'), { text: 'id' }] },
          { role: 'user', parts: [result('b'), { text: 'and' }, result('a')] },
        ],
      }),
    })
    t.equal(reply.status, 200, await reply.text())
    t.match(results(), [{ response: { of: 'a' } }, { response: { of: 'b' } }])
    t.match(upstream.requests.at(-1)?.text, '"thoughtSignature":"c2ln"')
  },
)

t.test('without ids the client’s own bytes go out', async (t) => {
  upstream.script(json(200, answer([{ text: 'Hi.' }])))
  const text =
    '{"contents": [ {"role":"user","parts":[{"text":"hi"}]} ],  "n": 12345678901234567890}'
  await fetch(`${url}/v1beta/models/${model}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: text,
  })
  t.equal(upstream.requests.at(-1)?.text, text)
})
