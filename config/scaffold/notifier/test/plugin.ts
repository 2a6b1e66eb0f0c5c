import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingNotifier } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import create from '../src/index.js'

conformingNotifier(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  settings: { address: 'https://chat.acme.example', token: 'canary-token-1' },
  target: { acme_room: 'operators' },
  faults: [
    { target: {}, field: 'acme_room' },
    { target: { acme_room: 'no room/../' }, field: 'acme_room' },
  ],
})

test('a user who chose Acme receives a notice there', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const acme = await gateway.upstream(json(200, {}))
  await gateway.setOptions({
    'notifier.acme.address': acme.url,
    'notifier.acme.token': 'canary-token-1',
  })
  await gateway.request('PUT', '/api/user/setting', {
    notify_type: 'acme',
    acme_room: 'operators',
  })
  await gateway.request('POST', '/api/user/setting/test', {})
  assert.equal(acme.requests[0]?.path, '/messages')
  assert.equal(acme.requests[0]?.json?.room, 'operators')
  assert.equal(acme.requests[0]?.headers.authorization, 'Bearer canary-token-1')
})
