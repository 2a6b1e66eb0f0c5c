import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingOAuth, type OutgoingCall } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import create from '../src/index.js'

const person = {
  id: '71',
  login: 'ada',
  name: 'Ada',
  email: 'ada@acme.example',
  email_verified: true,
}
const token = { access_token: 'token-of-acme-6Fd2', token_type: 'bearer' }

const recorded = ({ url }: OutgoingCall) =>
  url.pathname === '/oauth/token' ? { json: token } : { json: person }

conformingOAuth(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  settings: { clientId: 'client-1', clientSecret: 'a secret of the test' },
  clientId: 'client-1',
  signIns: [
    {
      name: 'a person',
      upstream: recorded,
      identity: { subject: '71', username: 'ada', email: 'ada@acme.example', emailVerified: true },
    },
    {
      name: 'a person without an address',
      upstream: (call) =>
        call.url.pathname === '/oauth/token' ? recorded(call) : { json: { id: '72' } },
      identity: { subject: '72', email: undefined },
    },
  ],
  refusals: [
    {
      name: 'a wrong code',
      upstream: () => ({ status: 400, json: { error: 'invalid_grant' } }),
      message: /invalid_grant/,
    },
  ],
  subjectAt: { call: ({ url }) => url.pathname === '/api/me', member: 'id' },
})

test('a person who is new signs in with Acme', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const upstream = await gateway.upstream((request, response) =>
    json(200, request.path === '/oauth/token' ? token : person)(request, response),
  )
  await gateway.setOptions({
    ServerAddress: 'https://gateway.example',
    'oauth.acme.address': upstream.url,
    'oauth.acme.clientId': 'client-1',
    'oauth.acme.clientSecret': 'a secret of the test',
    'oauth.acme.enabled': true,
  })
  const headers = { 'content-type': 'application/json' }
  const begun = await fetch(`${gateway.url}/api/oauth/state`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({ provider: 'acme', intent: 'login' }),
  })
  const cookie = begun.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const state = (await begun.json()) as {
    message: string
    data: { state: string; authorize_url: string } | null
  }
  assert.ok(state.data, state.message)
  const { data } = state
  assert.ok(data.authorize_url.startsWith(`${upstream.url}/oauth/authorize?`))

  const finished = await fetch(`${gateway.url}/api/oauth/acme`, {
    ...{ method: 'POST', headers: { ...headers, cookie } },
    body: JSON.stringify({ code: 'code-1', state: data.state }),
  })
  const { success, message } = (await finished.json()) as { success: boolean; message: string }
  assert.ok(success, message)
})
