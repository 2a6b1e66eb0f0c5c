/** What a browser is reported of replies to API clients, should it be led to show one. */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'

const { url, admin } = await startGateway(t, {})

t.test('a relay reply of JSON, an error among them, is no page to a browser', async (t) => {
  const { key } = await admin.token()
  for (const [path, headers, status] of [
    ['/v1/models', { authorization: `Bearer ${key}` }, 200],
    ['/v1/models', {}, 401],
    ['/v1/nothing', {}, 404],
  ] as const) {
    const answer = await fetch(`${url}${path}`, { headers })
    t.equal(answer.status, status)
    t.equal(answer.headers.get('content-security-policy'), policy, `${path} ${status}`)
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    await answer.arrayBuffer()
  }
})

const policy = "default-src 'none'; frame-ancestors 'none'"
