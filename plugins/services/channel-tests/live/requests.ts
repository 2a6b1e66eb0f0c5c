/**
 * Requests that show what an upstream really does, in the order a client comes upon it: each is sent as a chat client sends it, and says
 * what came of it. They cost the operator a few thousand tokens.
 */
import { isObject, type Json } from '../../../../kernel/contract/json.js'
import {
  callsOf,
  chat,
  jsonOf,
  type LiveClient,
  messageOf,
  numberAt,
  refusalOf,
  requested,
  shortened,
  textOf,
  Unexpected,
} from './replies.js'

export interface LiveResult {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** What was seen, in a few words. */
  readonly words: string
}

export interface LiveRequest {
  readonly name: string
  run(client: LiveClient): Promise<LiveResult>
}

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
} as const
/** A PNG of 32 by 32 red pixels; some services take no smaller image. */
const redSquare =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKElEQVR4nO3NsQ0AAAzCMP5/un0CNkuZ41wybXsHAAAAAAAAAAAAxR4yw/wuPL6QkAAAAABJRU5ErkJggg=='
const paris = 'What is the weather in Paris? Use the tool.'
const user = (content: Json) => ({ role: 'user', content })

export const liveRequests: readonly LiveRequest[] = [
  request('text', async (client) =>
    shortened(textOf(await chat(client, [user('Reply with: pong')]))),
  ),
  request('stream', stream),
  request('tool call', async (client) => {
    const [call] = callsOf(await chat(client, [user(paris)], { tools: [weather] }))
    if (call === undefined) throw new Unexpected('it called no tool')
    return `${call.name}(${shortened(call.input)})`
  }),
  request('second tool round', secondRound),
  request('parallel tool calls', async (client) => {
    const words = 'Get the weather of Paris and of Oslo, both at once. Use the tool for each.'
    const calls = callsOf(await chat(client, [user(words)], { tools: [weather] }))
    if (calls.length < 2) throw new Unexpected(`${calls.length} call where two were asked for`)
    return `${calls.length} calls`
  }),
  request('image', async (client) => {
    const url = `data:image/png;base64,${redSquare}`
    const parts = [
      { type: 'text', text: 'Which colour is this? One word.' },
      { type: 'image_url', image_url: { url } },
    ]
    return shortened(textOf(await chat(client, [user(parts)])))
  }),
  request('JSON schema', jsonSchema),
  request('reasoning', async (client) => {
    const reply = await chat(client, [user('What is 17 times 23?')], { reasoning_effort: 'low' })
    const tokens = numberAt(reply, ['usage', 'completion_tokens_details', 'reasoning_tokens'])
    return `${shortened(textOf(reply))}${tokens === undefined ? '' : `, ${tokens} tokens of reasoning`}`
  }),
  request('long system prompt', async (client) => {
    const content = 'You are a careful assistant who answers in one word. '.repeat(200)
    const reply = await chat(client, [{ role: 'system', content }, user('Say yes.')])
    return `${numberAt(reply, ['usage', 'prompt_tokens']) ?? 'no'} tokens of prompt`
  }),
  request('error', async (client) => {
    const response = await client.send('POST', '/v1/chat/completions', {
      model: unknownModel,
      messages: [user('Hello')],
    })
    const { error } = await jsonOf(response)
    if (response.status < 400) throw new Unexpected('a model that does not exist was served')
    if (!isObject(error)) throw new Unexpected('the error has no form')
    return `${response.status} ${shortened(String(error.code))}`
  }),
  request('model list', async (client) => {
    const names = await client.models()
    const isListed = names.includes(client.model)
    return `${names.length} models${isListed ? '' : `, ${client.model} not among them`}`
  }),
  {
    name: 'embeddings',
    async run(client) {
      const { embeddingModel: model } = client
      if (model === undefined)
        return { outcome: 'skipped', words: 'no model for embeddings was named' }
      return outcomeOf(async () => {
        const body = { model, input: ['one', 'two'] }
        const { data } = await requested(client, '/v1/embeddings', body)
        const vectors = Array.isArray(data) ? data.filter(isObject) : []
        const [first] = vectors
        if (vectors.length !== 2) throw new Unexpected(`${vectors.length} vectors for two texts`)
        return `2 vectors of ${Array.isArray(first?.embedding) ? first.embedding.length : '?'}`
      })
    },
  },
  request('cancel', cancel),
]

/** No upstream has a model of this name. */
export const unknownModel = 'waybill-no-such-model'

function request(name: string, work: (client: LiveClient) => Promise<string>): LiveRequest {
  return { name, run: (client) => outcomeOf(() => work(client)) }
}

async function outcomeOf(work: () => Promise<string>): Promise<LiveResult> {
  try {
    return { outcome: 'passed', words: await work() }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed', words: shortened(words, 200) }
  }
}

async function stream(client: LiveClient): Promise<string> {
  const began = performance.now()
  const response = await client.send('POST', '/v1/chat/completions', {
    model: client.model,
    messages: [user('Count from one to ten in words.')],
    stream: true,
    stream_options: { include_usage: true },
  })
  if (!response.ok) throw new Error(await refusalOf(response))
  const text = await response.text()
  const pieces = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json!))
  const words = pieces.filter((piece) => piece.choices?.[0]?.delta?.content)
  if (words.length === 0) throw new Unexpected('no text came')
  if (!text.includes('data: [DONE]')) throw new Unexpected('it broke off')
  const counted = pieces.some(({ usage }) => isObject(usage))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  return `${words.length} pieces in ${seconds} s, ${counted ? 'with' : 'without'} usage`
}

async function secondRound(client: LiveClient): Promise<string> {
  const first = await chat(client, [user(paris)], { tools: [weather] })
  const [call] = callsOf(first)
  if (call === undefined) throw new Unexpected('it called no tool')
  const messages = [
    user(paris),
    messageOf(first),
    { role: 'tool', tool_call_id: call.id, content: 'Rain, 12 degrees.' },
  ]
  return shortened(textOf(await chat(client, messages, { tools: [weather] })))
}

async function jsonSchema(client: LiveClient): Promise<string> {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  }
  const response_format = {
    type: 'json_schema',
    json_schema: { name: 'city', strict: true, schema },
  }
  const reply = await chat(client, [user('Name the capital of France.')], { response_format })
  const value: unknown = JSON.parse(textOf(reply))
  if (!isObject(value) || typeof value.city !== 'string') throw new Unexpected('not of the schema')
  return shortened(JSON.stringify(value))
}

/** The client leaves after the first bytes; the gateway has to end the call, and goes on serving. */
async function cancel(client: LiveClient): Promise<string> {
  const leaving = new AbortController()
  const body = {
    model: client.model,
    messages: [user('Write a long story of at least two thousand words.')],
    stream: true,
  }
  const response = await client.send('POST', '/v1/chat/completions', body, leaving.signal)
  if (!response.ok || response.body === null) throw new Error(await refusalOf(response))
  const reader = response.body.getReader()
  await reader.read()
  leaving.abort()
  await reader.cancel().catch(() => {})
  return 'left after the first bytes'
}
