/**
 * A key holder, or an upstream, sends JSON that is dear to read: tens of megabytes of tiny objects, of one text, of
 * escapes. Neither keeps the other requests of the process waiting (decision 0050).
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { type WatchedTarget, watchedGateway } from '../bench/gateways.js'
import { freshDatabaseUrl } from '../kit/database.js'

t.setTimeout(240_000)

const mebibyte = 1024 * 1024
const many = (item: string, bytes: number) => item.repeat(Math.floor(bytes / item.length))
const sendRequest = (rest: string) => `{"model":"gpt-4o-mini",${rest}}`

/** An upstream whose answer to everything is this. */
async function upstream(t: Test, answer: { text: string; type: string }): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-type': answer.type })
      response.end(answer.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ownDatabase(t: Test): Promise<Record<string, string>> {
  const url = await freshDatabaseUrl(t)
  return url === undefined ? {} : { DATABASE_URL: url }
}

async function send({ origin, key }: WatchedTarget, body: string) {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, text: await response.text() }
}

/**
 * Far beyond the 50 ms that a turn takes at most, since the machine may be busy with other tests; each of these bodies
 * took 2 to 17 seconds before there were bounds.
 */
const delayMsMax = 1000

t.test('[LIMIT-6] no request of a key holder keeps the others waiting', async (t) => {
  const answer = { text: '{"choices":[],"usage":{}}', type: 'application/json' }
  const gateway = await watchedGateway(await upstream(t, answer), await ownDatabase(t))
  t.teardown(() => gateway.stop())
  const table: readonly (readonly [name: string, body: string, status: number, message: RegExp])[] =
    [
      [
        'objects',
        sendRequest(`"a":[${many('{},', 60 * mebibyte)}0]`),
        413,
        /too many objects and arrays/,
      ],
      [
        'members',
        sendRequest(`"a":[${many('{"k":1},', 60 * mebibyte)}0]`),
        413,
        /too many objects/,
      ],
      ['numbers', sendRequest(`"a":[${many('0,', 60 * mebibyte)}0]`), 413, /too many values/],
      ['nesting', sendRequest(`"a":${many('[', 60 * mebibyte)}`), 400, /deeper than 64/],
      ['digits', sendRequest(`"a":${many('9', 60 * mebibyte)}`), 413, /a number of too many/],
      ['blanks', sendRequest(`"a":${many(' ', 60 * mebibyte)}`), 400, /not valid JSON/],
      ['escapes', sendRequest(`"a":"${many('\\"', 60 * mebibyte)}`), 400, /not valid JSON/],
      ['backslashes', sendRequest(`"a":"${many('\\\\', 60 * mebibyte)}`), 400, /not valid JSON/],
      ['a text alone', `"${many('A', 60 * mebibyte)}"`, 400, /not an object/],
      ['a list alone', `[${many('{},', 60 * mebibyte)}0]`, 400, /not an object/],
      ['one text', sendRequest(`"a":"${many('A', 60 * mebibyte)}"`), 400, /messages/],
    ]
  await gateway.loopDelay()
  for (const [name, body, status, content] of table) {
    const reply = await send(gateway, body)
    t.equal(reply.status, status, name)
    t.match(reply.text, content, name)
    const { max } = await gateway.loopDelay()
    t.comment(`${name}: ${max.toFixed(0)} ms`)
    t.ok(max < delayMsMax, `${name} kept others waiting for ${max.toFixed(0)} ms`)
  }
})

t.test('[ERR-2] no reply of an upstream keeps the others waiting', async (t) => {
  const answer = { text: '', type: 'application/json' }
  const gateway = await watchedGateway(await upstream(t, answer), await ownDatabase(t))
  t.teardown(() => gateway.stop())
  const event = `data: {"choices":[{"delta":{"a":[${many('{},', 20 * mebibyte)}0]}}]}\n\n`
  const table: readonly (readonly [name: string, type: string, text: string, status: number])[] = [
    ['objects', 'application/json', `{"a":[${many('{},', 60 * mebibyte)}0]}`, 502],
    ['blanks', 'application/json', many(' ', 60 * mebibyte), 502],
    // It passes in pieces as it came, and is read by nobody.
    ['an event of objects', 'text/event-stream', event, 200],
    ['comments', 'text/event-stream', many(': ping\n\n', 20 * mebibyte), 502],
  ]
  for (const [name, type, text, status] of table) {
    Object.assign(answer, { type, text })
    await gateway.loopDelay()
    const stream = type === 'text/event-stream'
    const body = sendRequest(`"messages":[{"role":"user","content":"x"}],"stream":${stream}`)
    const reply = await send(gateway, body)
    t.equal(reply.status, status, `${name}: ${reply.text.slice(0, 200)}`)
    const { max } = await gateway.loopDelay()
    t.comment(`${name}: ${max.toFixed(0)} ms`)
    t.ok(max < delayMsMax, `${name} kept others waiting for ${max.toFixed(0)} ms`)
  }
})
