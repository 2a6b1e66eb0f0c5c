/** Behind a real nginx and a real Caddy, with the configurations in config/proxies as they stand there. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { freePort } from '../kit/free-port.js'
import { bootGateway } from '../kit/gateway.js'
import { keptLines } from '../kit/kept-lines.js'
import { root } from '../kit/management.js'
import { ask as question, type ScriptedGateway, scriptedGateway } from '../kit/scripted-gateway.js'
import { realtimeModel, socketGateway } from '../kit/socket-gateway.js'
import { chat, json, type Script } from '../kit/upstream.js'
import { noProxy, type ProxyName, shippedProxy, startNginx } from './kit/proxies.js'

t.setTimeout(240_000)

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Address the client comes from; absent: 127.0.0.1. */
  readonly from?: string
  /** Sends so many bytes of the body it announces. Absent: all. */
  readonly only?: number
}

/** The answer once its head is there. */
function opened(
  url: string,
  { method, headers, body, from, only }: Sent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      agent: false,
      rejectUnauthorized: false,
      family: 4,
      ...(from !== undefined && { localAddress: from }),
    })
    asking.on('response', resolve)
    asking.on('error', reject)
    if (only === undefined) {
      asking.end(body)
      return
    }
    asking.setHeader('content-length', Buffer.byteLength(body ?? ''))
    asking.write(body?.slice(0, only))
    asking.on('response', (answer) => answer.on('end', () => asking.destroy()))
  })
}

async function ask(url: string, sent: Sent = {}) {
  const answer = await opened(url, sent)
  let text = ''
  for await (const piece of answer) text += piece
  return { status: answer.statusCode, headers: answer.headers, text }
}

const type = { 'content-type': 'application/json' }
const trusting = { trustedProxies: ['127.0.0.1'] }

function chatWith({ key }: ScriptedGateway, body: object) {
  return { headers: { ...type, authorization: `Bearer ${key}` }, body: JSON.stringify(body) }
}

/** Sends the first piece, and the rest once it is let go. */
function heldStream(): { script: Script; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const script: Script = async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chat.delta('Hi.'))
    await released
    response.end(`${chat.stop()}${chat.usage(10, 2)}${chat.done}`)
  }
  return { script, release: () => release() }
}

async function restOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of answer) text += piece
  return text
}

function behind(name: ProxyName, body: (t: Test) => Promise<void>) {
  return t.test(`behind ${name}`, { skip: noProxy(name) }, body)
}

for (const name of ['nginx', 'caddy'] as const) {
  behind(name, async (t) => {
    const { log, fields } = keptLines()
    const gateway = await scriptedGateway(t, { environment: trusting, log })
    const { url } = await shippedProxy(t, name, gateway.url)
    const addressOf = (path: string) =>
      fields('request').findLast((one) => one.path === path)?.address

    await t.test(
      '[AUTH-11] the address is the client’s, whatever headers they choose',
      async (t) => {
        const chosen = {
          'x-forwarded-for': '6.6.6.6',
          forwarded: 'for=6.6.6.6;proto=http',
          'x-real-ip': '6.6.6.6',
          'x-forwarded-proto': 'http',
          'x-forwarded-host': 'evil.example',
          via: '1.1 evil.example',
        }
        t.equal(
          (await ask(`${url}/api/status`, { headers: chosen, from: '127.0.0.9' })).status,
          200,
        )
        t.equal(addressOf('/api/status'), '127.0.0.9')
        const models = { authorization: `Bearer ${gateway.key}`, ...chosen }
        t.equal((await ask(`${url}/v1/models`, { headers: models, from: '127.0.0.8' })).status, 200)
        t.equal(addressOf('/v1/models'), '127.0.0.8')
      },
    )

    let cookie = ''
    await t.test('[AUTH-2] the session is for HTTPS only', async (t) => {
      const signIn = { headers: type, body: JSON.stringify(root) }
      const { headers } = await ask(`${url}/api/user/login`, signIn)
      t.match(headers['set-cookie']?.[0], /^__Host-session=.*; Secure$/)
      t.match(headers['strict-transport-security'], /max-age/)
      cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      const own = { ...type, cookie, origin: url, 'sec-fetch-site': 'same-origin' }
      t.equal((await ask(`${url}/api/user/self`, { headers: own })).status, 200)
      const foreign = { ...type, cookie, origin: 'https://evil.example' }
      const write = { headers: foreign, body: '{}' }
      t.equal((await ask(`${url}/api/user/logout`, write)).status === 200, false)
      const plain = { cookie: cookie.replace('__Host-', '') }
      t.equal((await ask(`${url}/api/user/self`, { headers: plain })).status, 401)
    })

    await t.test('[FMT-10] a stream comes piece by piece', async (t) => {
      const held = heldStream()
      gateway.upstream.script(held.script)
      const answer = await opened(
        `${url}/v1/chat/completions`,
        chatWith(gateway, question({ stream: true })),
      )
      const [first] = await once(answer, 'data')
      t.match(String(first), 'Hi.', 'while the rest is not even written')
      held.release()
      t.match(await restOf(answer), '[DONE]')
    })

    await t.test('a client who leaves is noticed through it', async (t) => {
      const held = heldStream()
      gateway.upstream.script(held.script)
      const sent = chatWith(gateway, question({ stream: true }))
      const answer = await opened(`${url}/v1/chat/completions`, sent)
      await once(answer, 'data')
      answer.destroy()
      held.release()
      await gateway.gateway.idle()
      t.ok(fields('request').findLast((one) => one.path === '/v1/chat/completions'))
    })

    await t.test(
      '[ERR-1] a body that is too large is refused in the client’s format',
      async (t) => {
        const large = question({
          messages: [{ role: 'user', content: 'x'.repeat(9 * 1024 * 1024) }],
        })
        const sent = chatWith(gateway, large)
        // Caddy passes a body on as it comes and hands back the refusal; who then goes on sending is cut.
        const begun = { ...sent, only: 1024 }
        const { status, text } = await ask(
          `${url}/v1/chat/completions`,
          name === 'caddy' ? begun : sent,
        )
        t.equal(status, 413)
        t.match(JSON.parse(text), { error: { code: String } })
      },
    )

    await t.test('headers pass up to what the gateway reads', async (t) => {
      const authorization = `Bearer ${gateway.key}`
      const models = (bytes: number) =>
        ask(`${url}/v1/models`, { headers: { authorization, 'x-long': 'a'.repeat(bytes) } })
      t.equal((await models(20_000)).status, 200)
      t.ok([400, 431].includes((await models(60_000)).status ?? 0))
      const { status } = await models(100)
      t.equal(status, 200, 'and the next one passes')
    })

    await t.test('[RT-1] sockets pass, of the console and of the relay', async (t) => {
      const options = { rejectUnauthorized: false, headers: { cookie, origin: url } }
      const live = new WebSocket(`${url.replace('https', 'wss')}/live`, options)
      await once(live, 'open')
      live.terminate()
      const realtime = await socketGateway(t)
      const front = await shippedProxy(t, name, realtime.url)
      const path = `/v1/realtime?model=${realtimeModel}`
      const socket = new WebSocket(`${front.url.replace('https', 'wss')}${path}`, {
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${realtime.key}` },
      })
      await once(socket, 'open')
      socket.terminate()
      await once(socket, 'close')
      t.pass()
    })

    await t.test('a stop lets what runs come to its end', async (t) => {
      const stopping = await scriptedGateway(t, { environment: trusting })
      const front = await shippedProxy(t, name, stopping.url)
      const held = heldStream()
      stopping.upstream.script(held.script)
      const sent = chatWith(stopping, question({ stream: true }))
      const answer = await opened(`${front.url}/v1/chat/completions`, sent)
      await once(answer, 'data')
      const stopped = stopping.gateway.stop()
      held.release()
      t.match(await restOf(answer), '[DONE]')
      await stopped
      t.ok((await ask(`${front.url}/health/live`)).status! >= 500)
    })

    await t.test(
      '[AUTH-11] unnamed, it counts as the client itself, and the log states so',
      async (t) => {
        const kept = keptLines()
        const unnamed = await bootGateway(t, { log: kept.log })
        const front = await shippedProxy(t, name, unnamed.address)
        for (const from of ['127.0.0.9', '127.0.0.8'])
          await ask(`${front.url}/api/status`, { from })
        t.strictSame(
          kept.fields('request').map(({ address }) => address),
          ['127.0.0.1', '127.0.0.1'],
        )
        t.equal(kept.messages().filter((line) => line.includes('TRUSTED_PROXIES')).length, 1)
      },
    )
  })
}

behind('nginx', async (t) => {
  await t.test('[AUTH-11] its plainest form, which reveals nothing, opens no setup', async (t) => {
    const gateway = await bootGateway(t)
    const port = await freePort()
    const site = `server { listen 127.0.0.1:${port}; location / { proxy_pass ${gateway.address}; } }`
    await startNginx(t, site, port)
    const form = { ...root, confirmPassword: root.password }
    const answer = await fetch(`http://127.0.0.1:${port}/api/setup`, {
      method: 'POST',
      headers: type,
      body: JSON.stringify(form),
    })
    t.match(await answer.json(), { code: 'setup_code_required' })
    t.equal(answer.status, 403)
  })

  await t.test('one address has so many requests at once and no more', async (t) => {
    const gateway = await scriptedGateway(t, { environment: trusting })
    const { url } = await shippedProxy(t, 'nginx', gateway.url, (text) =>
      text.replace('limit_conn waybill 256', 'limit_conn waybill 2'),
    )
    const held = heldStream()
    gateway.upstream.script(held.script)
    const sent = chatWith(gateway, question({ stream: true }))
    const two = [
      await opened(`${url}/v1/chat/completions`, sent),
      await opened(`${url}/v1/chat/completions`, sent),
    ]
    t.equal((await ask(`${url}/health/live`)).status, 429)
    t.equal((await ask(`${url}/health/live`, { from: '127.0.0.9' })).status, 200)
    held.release()
    for (const answer of two) t.match(await restOf(answer), '[DONE]')
  })

  await t.test('[ERR-1] what is far too large is not even begun with', async (t) => {
    const gateway = await scriptedGateway(t, { environment: trusting })
    const { url } = await shippedProxy(t, 'nginx', gateway.url)
    gateway.upstream.script(json(200, {}))
    const headers = { ...type, 'content-length': String(70 * 1024 * 1024) }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        method: 'POST',
        headers,
        agent: false,
        rejectUnauthorized: false,
        family: 4,
      }
      const asking = request(`${url}/v1/chat/completions`, options)
      asking.on('response', resolve)
      asking.on('error', reject)
      asking.flushHeaders()
      t.teardown(() => asking.destroy())
    })
    t.equal(answer.statusCode, 413)
    answer.destroy()
  })
})
