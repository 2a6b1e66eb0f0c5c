import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Script } from '../kit/upstream.js'

const gateway = await scriptedGateway(t, { environment: { maxRequestBodyBytes: 64 * 1024 } })
const { upstream } = gateway

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
})

/** Sends raw bytes as the body. */
const raw = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  })

t.test(
  '[ERR-1] bad input gets an error of four strings, and nothing is relayed or charged',
  async (t) => {
    const hello = '[{"role":"user","content":"hello"}]'
    const table: [string, string | Buffer, number, string][] = [
      ['malformed JSON', '{"model":', 400, 'invalid_json'],
      ['no body at all', '', 400, 'invalid_json'],
      ['an array', '[]', 400, 'invalid_json'],
      ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, 'invalid_json'],
      [
        'a duplicate key',
        `{"model":"${model}","max_tokens":1,"max_tokens":9999,"messages":${hello}}`,
        400,
        'duplicate_key',
      ],
      [
        'a duplicate key that is spelled otherwise',
        `{"model":"${model}","max_tokens":1,"max\\u005ftokens":9,"messages":${hello}}`,
        400,
        'duplicate_key',
      ],
      [
        '__proto__',
        `{"model":"${model}","messages":${hello},"__proto__":{"admin":true}}`,
        400,
        'forbidden_key',
      ],
      [
        'nesting without end',
        `{"model":"${model}","messages":${hello},"x":${'['.repeat(70)}${']'.repeat(70)}}`,
        400,
        'too_deep',
      ],
      ['1e400', `{"model":"${model}","messages":${hello},"temperature":1e400}`, 400, 'invalid'],
      [
        'an absurd limit',
        `{"model":"${model}","messages":${hello},"max_tokens":1e18}`,
        400,
        'invalid_request',
      ],
      [
        'an absurd number of answers',
        `{"model":"${model}","messages":${hello},"n":1000000}`,
        400,
        'invalid_request',
      ],
      [
        'an oversize body',
        JSON.stringify(ask({ padding: 'x'.repeat(70_000) })),
        413,
        'body_too_large',
      ],
      ['an unknown model', JSON.stringify(ask({ model: 'no-such-model' })), 503, 'model_not_found'],
      [
        'a model name that climbs',
        JSON.stringify(ask({ model: '../../etc/passwd' })),
        400,
        'invalid_request',
      ],
    ]
    const before = await gateway.balance()
    for (const [name, body, status, code] of table) {
      const answer = await raw(body)
      const { error } = (await answer.json()) as { error: Record<string, unknown> }
      t.equal(answer.status, status, name)
      t.match(error.code, code, name)
      for (const field of ['message', 'type', 'param', 'code'])
        t.type(error[field], 'string', `${name}: ${field}`)
      t.match(answer.headers.get('x-request-id'), /^req_[0-9A-Z]{26}$/)
    }
    t.equal(upstream.requests.length, 0)
    t.equal(await gateway.balance(), before)
  },
)

t.test('[ERR-1] unknown paths, wrong methods and missing keys speak the same shape', async (t) => {
  const table: [string, string, Record<string, string>, number, string][] = [
    ['GET', '/v1/chat/completions', {}, 405, 'method_not_allowed'],
    ['POST', '/v1/no-such-thing', {}, 404, 'not_found'],
    ['POST', '/v1/chat/completions', {}, 401, 'missing_credential'],
    ['POST', '/v1/chat/completions', { authorization: 'Bearer sk-nobody' }, 401, 'invalid_api_key'],
  ]
  for (const [method, path, headers, status, code] of table) {
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: JSON.stringify(ask()) }),
    })
    t.equal(answer.status, status, `${method} ${path}`)
    t.match(await answer.json(), { error: { code, message: /./, type: /./ } })
  }
})

t.test(
  '[ERR-2] an upstream error never passes raw: no key, address or page reaches the client',
  async (t) => {
    const secret = 'sk-upstream-secret-0123456789abcdef'
    const table: Script[] = [
      json(500, { error: { message: `key ${secret} failed at http://10.0.0.5:8080/internal` } }),
      json(401, { error: { message: `Incorrect API key provided: ${secret}` } }),
      json(400, {
        error: { message: `bad value near ${secret} at http://10.0.0.5:8080/internal` },
      }),
      (_, response) => {
        response.writeHead(502, { 'content-type': 'text/html' })
        response.end(`<html><body>${secret} nginx</body></html>`)
      },
      (_, response) => {
        response.writeHead(500)
        response.end(Buffer.alloc(3 * 1024 * 1024, 0x61))
      },
    ]
    for (const script of table) {
      upstream.script(script)
      const answer = await gateway.chat(ask())
      const text = await answer.text()
      t.ok(answer.status >= 400)
      t.not(answer.status, 401, "an upstream's 401 is not the client's")
      t.notMatch(text, secret)
      t.notMatch(text, '10.0.0.5')
      t.notMatch(text, 'nginx')
      t.ok(text.length < 4096)
      t.match(JSON.parse(text), { error: { message: /./ } })
    }
  },
)

t.test('[ERR-2] of an upstream error 1 MiB is read and nothing more', async (t) => {
  const bytesMax = 1024 * 1024
  const body = (bytes: number) => {
    const [open, close] = ['{"pad":"', '","error":{"message":"Pick another size."}}']
    return `${open}${'a'.repeat(bytes - open.length - close.length)}${close}`
  }
  const refusal =
    (bytes: number): Script =>
    (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(body(bytes))
    }
  const contentOf = async () =>
    ((await (await gateway.chat(ask())).json()) as Outcome).error.message
  upstream.script(refusal(bytesMax))
  t.match(await contentOf(), /Pick another size/, 'the last byte of the limit is read')
  upstream.script(refusal(bytesMax + 1))
  t.notMatch(await contentOf(), /Pick another size/, 'the first byte beyond it is not')
  upstream.requests.length = 0
  upstream.script((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.write(body(bytesMax + 1))
  })
  await contentOf()
  await upstream.requests[0]?.aborted
  t.pass('an error that does not end is not waited for')
})

t.test(
  '[ERR-3] cookies, hop-by-hop headers and the upstream id stay behind; the local id stands',
  async (t) => {
    upstream.script((request, response) => {
      json(200, chat.whole('Hi.', 1, 1), {
        'set-cookie': 'a=b',
        'x-request-id': 'upstream-id',
        'x-oneapi-request-id': 'upstream-id',
        'x-secret-hop': '1',
        connection: 'close, x-secret-hop',
        'x-ratelimit-remaining-requests': '5',
        'openai-organization': 'org-of-the-operator',
      })(request, response)
    })
    const answer = await gateway.chat(ask())
    await answer.text()
    for (const name of [
      'set-cookie',
      'x-secret-hop',
      'openai-organization',
      'x-ratelimit-remaining-requests',
    ]) {
      t.equal(answer.headers.get(name), null, name)
    }
    const id = answer.headers.get('x-request-id')
    t.match(id, /^req_/)
    t.equal(answer.headers.get('x-oneapi-request-id'), id)
  },
)

t.test(
  "[ERR-3] the client's own headers do not travel to the upstream, and its key never does",
  async (t) => {
    await gateway.chat(ask(), {
      cookie: 'session=1',
      'x-forwarded-for': '1.2.3.4',
      'accept-encoding': 'br',
      'x-custom': '1',
    })
    const { headers } = upstream.requests[0]!
    t.equal(headers.authorization, 'Bearer upstream-key')
    t.equal(headers['accept-encoding'], 'identity')
    for (const name of ['cookie', 'x-forwarded-for', 'x-custom'])
      t.equal(headers[name], undefined, name)
  },
)

t.test(
  'a client that leaves at any moment leaves the process alive and nothing held (S9)',
  async (t) => {
    const { hostname, port } = new URL(gateway.url)
    const body = JSON.stringify(ask())
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    const whole = head + body
    for (const cut of [1, 40, head.length - 1, head.length, head.length + 5, whole.length]) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      await new Promise<void>((resolve) => socket.write(whole.slice(0, cut), () => resolve()))
      socket.destroy()
    }
    await gateway.gateway.idle()
    t.equal((await gateway.chat(ask())).status, 200)
    await gateway.gateway.idle()
    const wallet = (await gateway.gateway.service('ledger').wallets([1])).get(1)
    t.equal(wallet?.held, 0n)
  },
)

interface Outcome {
  readonly error: { readonly message: string }
}
