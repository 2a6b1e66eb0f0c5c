/** Tools whose names an upstream refuses, through a whole gateway: out under another name, back under their own. */
import t from 'tap'
import { channels, fourUpstreams, wires } from '../../../acceptance/kit/upstreams.js'
import { events, json } from '../../../kit/upstream.js'

const gateway = await fourUpstreams(t)
const { upstream } = gateway

const long = 'x'.repeat(70)
const names = ['files.read', 'files_read', `${long}.one`, `${long}.two`, 'plain']
const tools = names.map((name) => ({ name, input_schema: { type: 'object', properties: {} } }))

async function sendRequest(model: string, fields: object): Promise<string> {
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': gateway.key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      tools,
      ...fields,
    }),
  })
  return answer.text()
}

interface Declared {
  readonly function: { readonly name: string }
}

/** Names as the chat upstream was last reported them. */
function sentNames(): string[] {
  const { tools: sent } = upstream.requests.at(-1)!.json as { tools: Declared[] }
  return sent.map(({ function: { name } }) => name)
}

const whole = (name: string) =>
  json(200, {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

const streamed = (name: string) => {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`
  const call = { index: 0, id: 'a', type: 'function', function: { name, arguments: '{}' } }
  return events(
    chunk({ role: 'assistant', tool_calls: [call] }),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  )
}

t.test(
  '[FMT-9] a tool whose name the upstream refuses is called by its own, in bodies and in streams',
  async (t) => {
    const { model } = channels.chat
    upstream.script(whole('plain'))
    await sendRequest(model, {})
    const sent = sentNames()
    t.equal(new Set(sent).size, names.length, 'no two share a name')
    t.equal(sent[1], 'files_read', 'what fits stays')
    t.equal(sent[4], 'plain')
    for (const [index, name] of sent.entries()) {
      upstream.script(whole(name))
      t.match(JSON.parse(await sendRequest(model, {})).content, [{ name: names[index] }])
      upstream.script(streamed(name))
      t.match(await sendRequest(model, { stream: true }), `"name":"${names[index]}"`)
    }
    t.strictSame(sentNames(), sent, 'the same in every turn')
  },
)

t.test('[FMT-9] the history and the choice of tools go by the same names', async (t) => {
  const history = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'files.read', input: {} }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ]
  const tool_choice = { type: 'tool', name: 'files.read' }
  for (const wire of wires) {
    if (wire === 'messages') continue
    upstream.script(json(500, {}))
    await sendRequest(channels[wire].model, { messages: history, tool_choice })
    const { text } = upstream.requests.at(-1)!
    if (wire === 'generative') t.match(text, 'files.read', 'which takes dots')
    else t.notMatch(text, 'files.read', wire)
  }
})
