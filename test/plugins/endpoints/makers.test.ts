/** The makers' own clients on paths of their own: what they do there that plain requests would not show. */
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import t from 'tap'
import { json } from '../../kit/upstream.js'
import { chatModel, formatGateway, messagesModel, messagesWhole, speak, words } from './clients.js'

const gateway = await formatGateway(t)
const { upstream, url, key } = gateway
const anthropic = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(speak)
})

const hello = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'hello' }] }

t.test(
  '[FMT-1] its version and its key as this client sends them are what is requested',
  async (t) => {
    for (const model of [chatModel, messagesModel]) {
      const { content, usage } = await anthropic.messages.create({ model, ...hello })
      t.match(content, [{ type: 'text', text: words }], model)
      t.match(usage, { input_tokens: 10, output_tokens: 3 }, model)
      const final = await anthropic.messages.stream({ model, ...hello }).finalMessage()
      t.match(final.content, [{ type: 'text', text: words }], model)
      t.equal(final.usage.output_tokens, 3, model)
    }
    t.match(upstream.requests[2]?.headers['anthropic-version'], /^\d{4}-\d{2}-\d{2}$/)
  },
)

t.test('tokens are counted for it by a channel that can, and are estimated else', async (t) => {
  const { messages } = hello
  upstream.script(json(200, { input_tokens: 4242 }))
  const counted = await anthropic.messages.countTokens({ model: messagesModel, messages })
  t.equal(counted.input_tokens, 4242)
  upstream.requests.length = 0
  const request = { model: chatModel, contents: 'hello' }
  t.ok((await google.models.countTokens(request)).totalTokens! > 0)
  t.equal(upstream.requests.length, 0)
})

t.test('its tool runner goes on without a thread, with the whole conversation', async (t) => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }
  upstream.script(
    json(200, { ...messagesWhole(), content: [call], stop_reason: 'tool_use' }),
    json(200, messagesWhole()),
  )
  const requests: unknown[] = []
  const weather = betaTool({
    name: 'weather',
    description: 'Tells the weather.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    run: (input) => {
      requests.push(input)
      return 'Rain.'
    },
  })
  const final = await anthropic.beta.messages.toolRunner({
    model: messagesModel,
    ...hello,
    tools: [weather],
  })
  t.match(final.content, [{ text: words }])
  t.strictSame(requests, [{ city: 'Oslo' }])
  t.equal(upstream.requests.length, 2)
  for (const { json } of upstream.requests) t.notOk('thread' in json!)
  t.match(upstream.requests[1]?.json, { messages: { length: 3 } })
})

t.test('[FMT-8] the generative client asks and streams, its key in a header', async (t) => {
  for (const model of [chatModel, messagesModel]) {
    const request = { model, contents: 'hello' }
    const whole = await google.models.generateContent(request)
    t.equal(whole.text, words, model)
    t.match(whole.usageMetadata, { promptTokenCount: 10, candidatesTokenCount: 3 }, model)
    let text = ''
    for await (const chunk of await google.models.generateContentStream(request)) {
      text += chunk.text ?? ''
    }
    t.equal(text, words, model)
  }
})

t.test('[FMT-9] the responses client asks and streams', async (t) => {
  for (const model of [chatModel, messagesModel]) {
    const whole = await openai.responses.create({ model, input: 'hello' })
    t.equal(whole.output_text, words, model)
    const final = await openai.responses.stream({ model, input: 'hello' }).finalResponse()
    t.equal(final.output_text, words, model)
    t.match(final.usage, { input_tokens: 10, output_tokens: 3 }, model)
  }
  await t.rejects(openai.responses.retrieve('resp_1'), { code: 'api_not_implemented' })
})
