/** The `ai` package with its providers for Anthropic and Google at an upstream of every format. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { generateObject, jsonSchema } from 'ai'
import t from 'tap'
import { aiClient, aiLoop, type Provider } from './kit/ai.js'
import { ownLoop } from './kit/extras.js'
import { heard } from './kit/heard.js'
import { type At, matrix } from './kit/matrix.js'
import { channels } from './kit/upstreams.js'

function anthropic({ url, key }: At): Provider {
  const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: key })
  return {
    name: 'anthropic',
    wire: 'messages',
    abilities: {
      reasoning: true,
      seals: 'all',
      callSeals: false,
      counts: ['cacheRead', 'cacheWrite', 'reasoning'],
      errorWords: true,
      streamErrors: 'reported',
    },
    model: (name) => provider(name),
    // For models it does not know by name the library would ask for a tool call in place of a schema.
    options: ({ thinks }) => ({
      anthropic: {
        structuredOutputMode: 'outputFormat',
        ...(thinks && { thinking: { type: 'enabled', budgetTokens: 2048 } }),
      },
    }),
  }
}

function google({ url, key }: At): Provider {
  const provider = createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })
  const thinkingConfig = { includeThoughts: true, thinkingBudget: 2048 }
  return {
    name: 'google',
    wire: 'generative',
    abilities: {
      reasoning: true,
      seals: 'some',
      callSeals: true,
      counts: ['cacheRead', 'reasoning'],
      errorWords: false,
      streamErrors: 'reported',
    },
    model: (name) => provider(name),
    options: ({ thinks }) => ({ google: { ...(thinks && { thinkingConfig }) } }),
  }
}

const gateway = await matrix(t, (at) => [anthropic(at), google(at)].map(aiClient))

for (const { name, wire, model, options } of [anthropic(gateway), google(gateway)]) {
  const plain = options({ model: '', stream: true })
  const by = { name: `ai with ${name}`, wire }
  ownLoop(t, gateway, by, (called, tell) => aiLoop(model(called), plain, tell))
}

/** A call of some tool, or of this one, in the words of each format. */
const forced = {
  chat: /"tool_choice":("required"|\{"type":"function","function":\{"name":"json"\}\})/,
  generative: /"functionCallingConfig":\{"mode":"ANY"/,
  responses: /"tool_choice":("required"|\{"type":"function","name":"json"\})/,
}

const jsonOnly = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
}

for (const wire of ['chat', 'generative', 'responses'] as const) {
  const title = 'ai with anthropic wants JSON by a forced call of a model it does not know'
  t.test(`[SVC-1] [FMT-9] ${title}, at a ${wire} upstream`, async (t) => {
    const { mock, upstream, asMocked } = gateway
    mock.clearFixtures()
    mock.onMessage(/capital/, { toolCalls: [{ name: 'json', arguments: '{"city":"Oslo"}' }] })
    upstream.script(asMocked)
    const { object } = await generateObject({
      model: anthropic(gateway).model(channels[wire].model),
      schema: jsonSchema(jsonOnly),
      prompt: 'The capital of Norway?',
      maxRetries: 0,
    })
    t.strictSame(object, { city: 'Oslo' })
    const request = upstream.requests.at(-1)!
    t.match(heard(wire, request).tools, [{ name: 'json', schema: jsonOnly }])
    t.match(request.text, forced[wire])
  })
}
