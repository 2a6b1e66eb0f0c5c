import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingProvider } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import create from '../src/index.js'

const wire = { model: 'acme-1', messages: [{ role: 'user', content: 'Hello' }] }

conformingProvider(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  calls: [
    { operation: 'chat', wire },
    { operation: 'chat', wire: { ...wire, stream: true } },
  ],
  // What Acme sends to such calls belongs here, as it was recorded.
  streams: [
    {
      name: 'text',
      operation: 'chat',
      bytes: Buffer.from(
        'data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"acme-1","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}\n\n' +
          'data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"acme-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
          'data: [DONE]\n\n',
      ),
    },
  ],
  inquiries: [
    {
      name: 'models',
      verb: 'models',
      answers: [{ data: [{ id: 'acme-1' }] }],
      values: [['acme-1']],
      urls: ['/v2/models'],
    },
  ],
  refusals: [
    {
      operation: 'chat',
      status: 400,
      body: { problem: { kind: 'empty_account', text: 'Top up first.' } },
      blame: 'channel',
    },
    {
      operation: 'chat',
      status: 400,
      body: { problem: { kind: 'too_long', text: 'Too many tokens.', field: 'messages' } },
      blame: 'client',
    },
  ],
})

test('a client of the gateway reaches Acme, and Acme accepts the signature', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const upstream = await gateway.upstream((request, response) => {
    const signed = `${request.headers['x-acme-time']}.${request.text}`
    const signature = createHmac('sha256', 'acme-key').update(signed).digest('hex')
    if (request.headers['x-acme-signature'] !== signature) return json(401, {})(request, response)
    return json(200, {
      ...{ id: '1', object: 'chat.completion', created: 1, model: 'acme-1' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
    })(request, response)
  })
  await gateway.addChannel({
    type: 'acme/acme',
    baseUrl: upstream.url,
    key: 'acme-key',
    models: ['acme-1'],
    settings: { region: 'us' },
  })
  const before = await gateway.balance()
  const response = await gateway.chat(wire)
  assert.equal(response.status, 200)
  const reply = (await response.json()) as { choices: { message: { content: string } }[] }
  assert.equal(reply.choices[0]?.message.content, 'Hi')
  assert.equal(upstream.requests[0]?.path, '/v2/chat')
  assert.equal(upstream.requests[0]?.headers['x-acme-region'], 'us')
  assert.ok((await gateway.balance()) < before, 'it is charged')
})
