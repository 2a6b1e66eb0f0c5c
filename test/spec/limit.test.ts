import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'

const hello = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }

async function setup(t: Parameters<typeof startGateway>[0]) {
  const upstream = await scriptedUpstream(t)
  const gateway = await startGateway(t)
  await gateway.admin.channel({
    type: 1,
    name: 'one',
    key: 'upstream-key',
    base_url: upstream.url,
    models: 'gpt-4o-mini',
  })
  upstream.script(json(200, chat.whole('hello', 10, 5)))
  return { upstream, ...gateway }
}

t.test(
  '[LIMIT-6] [LIMIT-1] a relay limit answers 429 in the format of the path, relays nothing and charges nothing',
  async (t) => {
    const { upstream, admin, chat: ask, key, url, logs } = await setup(t)
    await admin.option('ModelRequestRateLimitCount', 2)
    t.equal((await ask(hello)).status, 200, 'the limits are off by default')
    t.equal((await ask(hello)).status, 200)
    t.equal((await ask(hello)).status, 200)
    await admin.option('ModelRequestRateLimitEnabled', true)
    t.equal((await ask(hello)).status, 200)
    t.equal((await ask(hello)).status, 200)
    const refused = await ask(hello)
    t.equal(refused.status, 429)
    t.match(await refused.json(), { error: { code: 'rate_limit_exceeded' } })
    t.match(refused.headers.get('retry-after'), /^\d+$/)
    t.equal(refused.headers.get('x-ratelimit-limit'), '2')
    t.equal(refused.headers.get('x-ratelimit-remaining'), '0')
    t.equal(refused.headers.get('x-ratelimit-policy'), '2;w=60')

    const messages = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...hello, max_tokens: 5 }),
    })
    t.equal(messages.status, 429)
    t.match(await messages.json(), { type: 'error', error: { code: 'rate_limit_exceeded' } })
    t.equal(upstream.requests.length, 5)
    t.equal((await logs()).length, 5)
  },
)

t.test('[LIMIT-6] the management API is not under the relay limit', async (t) => {
  const { admin, chat: ask } = await setup(t)
  await admin.option('ModelRequestRateLimitCount', 1)
  await admin.option('ModelRequestRateLimitEnabled', true)
  t.equal((await ask(hello)).status, 200)
  t.equal((await ask(hello)).status, 429)
  for (let call = 0; call < 5; call++) await admin.must('GET', '/api/user/self')
  t.pass('every one was answered')
})
