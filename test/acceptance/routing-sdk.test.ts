/**
 * Routing and healing as the official SDKs live through them: a group that fails is nothing a client notices, and what
 * is refused comes as the error class each SDK has for it.
 */
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { brokenEvents, chat, events, json, type Script, scriptedUpstream } from '../kit/upstream.js'
import { callers, model } from './kit/callers.js'

const clock = new FakeClock(Date.now())
const gateway = await startGateway(t, { clock })
const { admin } = gateway
const failing = await scriptedUpstream(t)
const healthy = await scriptedUpstream(t)

await admin.option('ModelRatio', { [model]: 1, 'gpt-4o': 1, 'gpt-4.1-mini': 1 })
await admin.option('CompletionRatio', { [model]: 4 })
await admin.must('PUT', '/api/group/', { name: 'first', ratio: 5, usable: true })
await admin.must('PUT', '/api/group/', { name: 'second', ratio: 3, usable: true })
const channel = { type: 1, key: 'upstream-key' }
const firstChannel = await admin.channel({
  ...channel,
  name: 'failing',
  group: 'first',
  base_url: failing.url,
  models: `${model},gpt-4o`,
})
await admin.channel({
  ...channel,
  name: 'healthy',
  group: 'second',
  base_url: healthy.url,
  models: `${model},gpt-4.1-mini`,
})
healthy.script((request, response) => {
  const script = request.json?.stream
    ? events(
        chat.role(),
        chat.delta('Hi '),
        chat.delta('there.'),
        chat.stop(),
        chat.usage(10, 2),
        chat.done,
      )
    : json(200, chat.whole('Hi there.', 10, 2))
  return script(request, response)
})

t.beforeEach(async () => {
  await admin.must('POST', `/api/channel/${firstChannel}/breakers/reset`, {})
  failing.requests.splice(0)
  healthy.requests.splice(0)
})

const error = { message: 'Something broke.', type: 'server_error' }
const failures: Readonly<Record<string, Script>> = {
  'a status of 500': json(500, { error }),
  'a refused key': json(401, { error: { message: 'Incorrect API key provided.' } }),
  'too many requests': json(429, { error }, { 'retry-after': '1' }),
  'a connection that breaks': (_, response) => void response.destroy(),
  'a stream that breaks before its content': brokenEvents(chat.role()),
  'a stream that begins with an error': events(`data: ${JSON.stringify({ error })}\n\n`),
}

for (const [name, { caller }] of Object.entries(callers)) {
  for (const [failure, script] of Object.entries(failures)) {
    t.test(
      `[ROUTE-3] [ROUTE-5] ${name} does not notice ${failure} in the first group`,
      async (t) => {
        failing.script(script)
        const { ask, stream } = caller(gateway.url, await keyFor('first', 'second'))
        const before = await gateway.balance()
        t.equal(await stream(), 'Hi there.')
        await admin.must('POST', `/api/channel/${firstChannel}/breakers/reset`, {})
        t.equal(await ask(), 'Hi there.')
        t.equal(failing.requests.length, 2)
        t.equal(before - (await gateway.balance()), 108n, 'twice (10 + 2 x 4) x 3')
        const rows = (await gateway.logs()).slice(0, 2)
        for (const { group, other } of rows) {
          t.equal(group, 'second')
          t.match(JSON.parse(other).admin_info.attempts, [
            { group: 'first', channel: firstChannel },
          ])
        }
      },
    )
  }
}

for (const [name, { caller, kinds }] of Object.entries(callers)) {
  t.test(`${name}: a 429 of the only channel is the SDK's own, with its wait (S18)`, async (t) => {
    failing.script(json(429, { error: { message: 'Slow down.' } }, { 'retry-after': '7' }))
    const { ask, stream, refusal } = caller(gateway.url, await keyFor('first'))
    const result = refusal(await refused(ask))
    t.match(result, { status: 429, kind: kinds.limited })
    if (result.headers !== undefined) t.equal(result.headers.get('retry-after'), '7')
    clock.advance(2000)
    for (const call of [ask, stream]) {
      const again = refusal(await refused(call))
      t.match(again, { status: 429, kind: kinds.limited, words: /in 5 s/ })
      if (again.headers !== undefined) t.equal(again.headers.get('retry-after'), '5')
    }
    t.equal(failing.requests.length, 1, 'the gateway answers by itself')
    clock.advance(5000)
    await refused(ask)
    t.equal(failing.requests.length, 2)
  })

  t.test(`[ROUTE-13] ${name}: a policy without a usable group is a permission error`, async (t) => {
    await admin.must('PUT', '/api/group/', { name: 'gone', ratio: 1 })
    const { ask, stream, refusal } = caller(gateway.url, await keyFor('gone'))
    await admin.must('DELETE', '/api/group/gone')
    for (const call of [ask, stream]) {
      t.match(refusal(await refused(call)), { status: 403, kind: kinds.denied })
    }
    t.equal(failing.requests.length + healthy.requests.length, 0)
  })

  t.test(`[LIMIT-6] [LIMIT-1] ${name}: a relay limit is a rate limit error`, async (t) => {
    await admin.option('ModelRequestRateLimitTokenCount', 1)
    await admin.option('ModelRequestRateLimitEnabled', true)
    const { ask, stream, refusal } = caller(gateway.url, await keyFor('second'))
    t.equal(await ask(), 'Hi there.')
    for (const call of [ask, stream]) {
      const result = refusal(await refused(call))
      t.match(result, { status: 429, kind: kinds.limited, words: /Try again in 60 s/ })
      if (result.headers === undefined) continue
      t.equal(result.headers.get('retry-after'), '60')
      t.equal(result.headers.get('x-ratelimit-policy'), '1;w=60')
    }
    t.equal(healthy.requests.length, 1)
    await admin.option('ModelRequestRateLimitEnabled', false)
  })

  t.test(`[ROUTE-15] ${name} lists the models of all groups, each once`, async (t) => {
    const { models } = caller(gateway.url, await keyFor('first', 'second'))
    t.strictSame([...(await models())].sort(), ['gpt-4.1-mini', 'gpt-4o', model].sort())
  })
}

/** Key of a manual policy. */
async function keyFor(...groups: readonly string[]): Promise<string> {
  const routing = { version: 1, mode: 'manual', groups, retry_on_failure: true }
  return (await admin.token({ routing })).key
}

async function refused(call: () => Promise<string>): Promise<unknown> {
  const answer = await call().catch((error: unknown) => ({ error }))
  if (typeof answer === 'string') throw new Error(`answered "${answer}"`)
  return answer.error
}
