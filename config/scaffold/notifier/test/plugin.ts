import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingNotifier } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import create from '../src/index.js'

const room = 'acme_room'

conformingNotifier(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  settings: { address: 'https://chat.acme.example', token: 'canary-token-1' },
  target: { [room]: 'operators' },
  faults: [
    { target: {}, field: room },
    { target: { [room]: 'no room/../' }, field: room },
  ],
})

test('a user who chose Acme receives a notice there', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const upstream = await gateway.upstream(json(200, {}))
  await gateway.setOptions({
    'notifier.acme.address': upstream.url,
    'notifier.acme.token': 'canary-token-1',
  })
  await gateway.request('PUT', '/api/user/setting', {
    notify_type: 'acme',
    [room]: 'operators',
  })
  await gateway.request('POST', '/api/user/setting/test', {})
  assert.equal(upstream.requests[0]?.path, '/messages')
  assert.equal(upstream.requests[0]?.json?.room, 'operators')
  assert.equal(upstream.requests[0]?.headers.authorization, 'Bearer canary-token-1')
})
