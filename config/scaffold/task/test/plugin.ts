import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingTask } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import create from '../src/index.js'

const prompt = { model: 'acme-1', prompt: 'A cat' }

conformingTask(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  requests: [
    {
      name: 'the least',
      body: prompt,
      url: '/v1/clips',
      sent: prompt,
      quantities: { counts: { second: 5, piece: 1 }, dimensions: { resolution: '720p' } },
    },
    {
      name: 'eight seconds',
      body: { ...prompt, seconds: 8 },
      url: '/v1/clips',
      sent: { ...prompt, seconds: 8 },
      quantities: { counts: { second: 8, piece: 1 }, dimensions: { resolution: '720p' } },
    },
  ],
  refused: [{ body: { ...prompt, n: 2 }, param: 'n' }],
  submissions: [{ name: 'accepted', answer: { id: 'c1' }, expected: { ref: 'c1' } }],
  polls: [
    {
      name: 'waiting',
      task: { ref: 'c1' },
      answer: { id: 'c1', status: 'waiting' },
      expected: { state: 'queued' },
    },
    {
      name: 'working',
      task: { ref: 'c1' },
      answer: { id: 'c1', status: 'working' },
      expected: { state: 'running' },
    },
    {
      name: 'done',
      task: { ref: 'c1' },
      answer: { id: 'c1', status: 'done', url: 'https://cdn.acme.example/c1.mp4' },
      expected: { state: 'succeeded' },
    },
    {
      name: 'broken',
      task: { ref: 'c1' },
      answer: { id: 'c1', status: 'broken', reason: 'No cats.' },
      expected: { state: 'failed', reason: 'No cats.' },
    },
  ],
})

test('a clip is submitted, polled and charged for what was made', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const clip = { id: 'c1', status: 'done', url: 'https://cdn.acme.example/c1.mp4', seconds: 4 }
  const upstream = await gateway.upstream((request, response) =>
    json(200, request.method === 'POST' ? { id: 'c1' } : clip)(request, response),
  )
  const rates = [{ when: { resolution: '720p' }, price: '0.002' }]
  await gateway.setOptions({ TaskRateCards: { 'acme-1': { unit: 'second', rates } } })
  await gateway.addChannel({ type: 'acme/clips', baseUrl: upstream.url, models: ['acme-1'] })
  const before = await gateway.balance()

  const submitted = await gateway.send('POST', '/v1/video/generations', prompt)
  assert.equal(submitted.status, 200)
  const { task_id: id } = (await submitted.json()) as { task_id: string }
  await gateway.pollTasks()

  const polled = await gateway.send('GET', `/v1/video/generations/${id}`)
  assert.match(JSON.stringify(await polled.json()), /SUCCESS|succeeded|completed/)
  assert.equal(before - (await gateway.balance()), 4000n, 'four seconds were made')
})
