import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingGuard } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import create from '../src/index.js'

const wire = (content: string) => ({ model: 'acme-1', messages: [{ role: 'user', content }] })
const record = (content: string) => ({ body: { kind: 'json', value: wire(content) } })

conformingGuard(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  settings: { words: 'Teapot, kettle' },
  passes: [
    { name: 'none of the words', record: record('A cup of coffee') },
    { name: 'no text', record: { body: { kind: 'none' } } },
  ],
  refuses: [
    { name: 'a word of the list', record: record('A TEAPOT.'), code: 'invalid_field' },
    {
      name: 'a word of a form',
      record: { body: { kind: 'form', fields: { prompt: 'a kettle' }, files: [] } },
    },
  ],
})

test('a request with a word of the list reaches nobody and costs nothing', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const upstream = await gateway.upstream(
    json(200, {
      ...{ id: '1', object: 'chat.completion', created: 1, model: 'acme-1' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
    }),
  )
  await gateway.addChannel({ type: 'openai/openai', baseUrl: upstream.url, models: ['acme-1'] })
  await gateway.setOptions({ 'guard.acme.words': 'teapot' })
  const before = await gateway.balance()
  const refused = await gateway.chat(wire('I am a teapot'))
  assert.equal(refused.status, 400)
  assert.equal(await gateway.balance(), before)
  assert.equal(upstream.requests.length, 0)
  assert.equal((await gateway.chat(wire('I am not'))).status, 200)
})
