/** Bedrock behind the whole gateway: framed streams to clients of two formats, whole answers, refusals and money. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Script } from '../kit/upstream.js'
import { exceptionFrame, frames, payloads } from './bedrock-recorded.js'

const model = 'claude-sonnet-4-5'
const profile = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3'

const gateway = await scriptedGateway(t, {
  channel: {
    type: 33,
    key: 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1',
    models: `${model},nova,profile`,
    model_mapping: JSON.stringify({
      [model]: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      nova: 'us.amazon.nova-lite-v1:0',
      profile,
    }),
    settings: { arn_models: { [profile]: 'anthropic.claude-sonnet-4-20250514-v1:0' } },
  },
})
await gateway.admin.option('ModelRatio', { [model]: 1, nova: 1, profile: 1 })
await gateway.admin.option('CompletionRatio', { [model]: 4, nova: 4, profile: 4 })
const { upstream } = gateway

/** Frames in pieces that cut them anywhere. */
function framed(bytes: Buffer): Script {
  return async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    for (let at = 0; at < bytes.length; at += 97) {
      await new Promise((resolve) => response.write(bytes.subarray(at, at + 97), resolve))
    }
    response.end()
  }
}

const ask = (over: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hello' }],
  ...over,
})

function messages(body: object): Promise<Response> {
  return fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': gateway.key,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'context-1m-2025-08-07,not-known-here',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
}

t.beforeEach(() => {
  upstream.requests.length = 0
})

t.test('a messages client gets Claude’s stream as its maker would send it', async (t) => {
  upstream.script(framed(frames('claude-text')))
  const answer = await messages(ask({ stream: true, temperature: 0 }))
  t.match(answer.headers.get('content-type'), 'text/event-stream')
  const expected = payloads('claude-text')
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
  t.equal(await answer.text(), expected)
  const [call] = upstream.requests
  t.equal(
    call?.path,
    '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream',
  )
  t.match(call?.headers.authorization, /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1/)
  t.same(call?.json, {
    max_tokens: 100,
    messages: ask().messages,
    temperature: 0,
    anthropic_version: 'bedrock-2023-05-31',
    anthropic_beta: ['context-1m-2025-08-07'],
  })
  const [log] = await gateway.logs()
  t.match(log, { prompt_tokens: 21, completion_tokens: 14, quota: 21 + 4 * 14 })
})

t.test('[FMT-9] a chat client gets the same stream in its own format', async (t) => {
  upstream.script(framed(frames('claude-text')))
  const text = await (await gateway.chat(ask({ stream: true }))).text()
  t.ok(text.endsWith('data: [DONE]\n\n'))
  t.match(text, 'Grüße aus ')
})

t.test('[FMT-9] a model of another maker is called by Converse, streamed and whole', async (t) => {
  upstream.script(framed(frames('converse-text')))
  const text = await (await gateway.chat(ask({ model: 'nova', stream: true }))).text()
  t.ok(text.endsWith('data: [DONE]\n\n'))
  t.match(upstream.requests[0], {
    path: '/model/us.amazon.nova-lite-v1%3A0/converse-stream',
    json: {
      messages: [{ role: 'user', content: [{ text: 'hello' }] }],
      inferenceConfig: { maxTokens: 100 },
    },
  })
  upstream.script(
    json(200, {
      output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
    }),
  )
  const whole = await gateway.chat(ask({ model: 'nova' }))
  t.match(await whole.json(), {
    choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  })
  t.match(upstream.requests[1]?.path, /\/converse$/)
  // The row of the stream may come after that of the whole answer.
  const log = (await gateway.logs()).find(({ is_stream }) => !is_stream)
  t.equal(log?.quota, 5 + 4 * 2)
})

t.test('an exception in place of content is an error and costs nothing', async (t) => {
  const before = await gateway.balance()
  upstream.script(framed(exceptionFrame('throttlingException', { message: 'Too many tokens' })))
  const answer = await messages(ask({ stream: true }))
  t.equal(answer.status, 429)
  t.match(await answer.json(), { type: 'error', error: { code: 'upstream_error' } })
  t.equal(await gateway.balance(), before)
})

t.test('an exception in the middle is reported, and what came is charged', async (t) => {
  upstream.script(framed(frames('claude-broken-late')))
  const text = await (await messages(ask({ stream: true }))).text()
  t.match(text, 'Half an')
  t.match(text, 'event: error')
  t.notMatch(text, 'message_stop')
  const [log] = await gateway.logs()
  t.ok(log && log.quota > 0)
})

t.test('an ARN is called in the format of the model behind it, in its own region', async (t) => {
  upstream.script(framed(frames('claude-text')))
  const cache_control = { type: 'ephemeral', ttl: '1h' }
  const content = [{ type: 'text', text: 'hello', cache_control }]
  const body = ask({ model: 'profile', stream: true, messages: [{ role: 'user', content }] })
  const answer = await messages(body)
  t.match(await answer.text(), 'event: message_stop')
  t.equal(answer.headers.get('x-waybill-lost'), 'cache_control.ttl', 'Sonnet 4 keeps no hour')
  const [call] = upstream.requests
  t.equal(call?.path, `/model/${encodeURIComponent(profile)}/invoke-with-response-stream`)
  t.match(call?.headers.authorization, /\/eu-west-1\/bedrock\/aws4_request/)
  t.match(call?.json, { messages: [{ content: [{ cache_control: { type: 'ephemeral' } }] }] })
})
