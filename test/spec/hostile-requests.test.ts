/** Bodies and addresses nobody should send (S15, X2, X5, X6, X7, X8). */
import t from 'tap'
import { type Client, clients, hostileGateway, speak } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream } = gateway
upstream.takes("what a client of the upstream's own format sends passes as it is")

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(speak)
})

/** The body with more JSON text in front of its last brace. */
function withText(client: Client, more: string): string {
  return JSON.stringify(client.body('gpt-4o-mini', false)).replace(/\}$/, `,${more}}`)
}

for (const client of clients) {
  t.test(
    `[ERR-1] what is no proper JSON is refused to ${client.name}, and nothing is relayed`,
    async (t) => {
      const body = JSON.stringify(client.body('gpt-4o-mini', false))
      const nested = (open: string, close: string) => `${open.repeat(70)}1${close.repeat(70)}`
      const table: readonly (readonly [what: string, body: string | Buffer, code: string])[] = [
        ['nothing', '', 'invalid_json'],
        ['half of it', body.slice(0, -3), 'invalid_json'],
        ['two of it', body + body, 'invalid_json'],
        ['an array', `[${body}]`, 'invalid_json'],
        ['a string', JSON.stringify(body), 'invalid_json'],
        ['null', 'null', 'invalid_json'],
        [
          'bytes that are no UTF-8',
          Buffer.concat([Buffer.from(body), Buffer.from([0xc3])]),
          'invalid_json',
        ],
        ['UTF-16', Buffer.from(body, 'utf16le'), 'invalid_json'],
        ['a comma too many', withText(client, ''), 'invalid_json'],
        ['a comment', withText(client, '/* */ "x":1'), 'invalid_json'],
        ['NaN', withText(client, '"x":NaN'), 'invalid_json'],
        ['1e400', withText(client, '"x":1e400'), 'invalid_json'],
        ['-1e400, deep', withText(client, '"x":[{"y":-1e400}]'), 'invalid_json'],
        ['__proto__', withText(client, '"__proto__":{"stream":true}'), 'forbidden_key'],
        ['__proto__, deep', withText(client, '"x":[{"__proto__":1}]'), 'forbidden_key'],
        ['__proto__, escaped', withText(client, '"\\u005f_proto__":{}'), 'forbidden_key'],
        ['a key twice', withText(client, '"x":1,"x":2'), 'duplicate_key'],
        ['a key twice, deep', withText(client, '"x":{"y":1,"y":2}'), 'duplicate_key'],
        ['a key twice, escaped', withText(client, '"x":1,"\\u0078":2'), 'duplicate_key'],
        ['arrays without end', withText(client, `"x":${nested('[', ']')}`), 'too_deep'],
        ['objects without end', withText(client, `"x":${nested('{"x":', '}')}`), 'too_deep'],
      ]
      for (const [what, text, code] of table) {
        const { status, error } = await gateway.raw(client, text)
        t.equal(status, 400, what)
        t.match(error, { message: /./, type: /./, code }, what)
        t.type(error?.param, 'string', what)
      }
      t.equal(upstream.requests.length, 0)
      const bomb = await gateway.raw(client, '['.repeat(4_000_000))
      t.equal(bomb.status, 400)
    },
  )

  t.test(`keys of an object's own are plain fields to ${client.name} (X5)`, async (t) => {
    for (const key of [
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'then',
    ]) {
      const { status } = await gateway.raw(client, withText(client, `"${key}":{"stream":true}`))
      t.equal(status, 200, key)
    }
  })

  t.test(`model names that lead elsewhere are refused to ${client.name} (X2, X8)`, async (t) => {
    const names = [
      ...[
        '.',
        '..',
        '../x',
        'a/../b',
        'a//b',
        '/a',
        'a/',
        'a\\b',
        'a?key=x',
        'a#b',
        '%2e%2e',
        'a%00b',
      ],
      ...['a\u0000b', 'a\r\nx: y', 'a\u200bb', 'a\u202eb', 'a\ufeffb', 'a\u2028b', 'x'.repeat(257)],
    ]
    for (const name of names) {
      const what = encodeURIComponent(name)
      const path = client.path(encodeURIComponent(name), false)
      if (client.name.startsWith('generative') && /\/\.{1,2}:/.test(path)) continue
      const { status, error } = await gateway.raw(
        client,
        JSON.stringify(client.body(name, false)),
        what,
      )
      t.equal(status, 400, what)
      t.match(error, { param: 'model', code: 'invalid_request' }, what)
    }
    t.equal(upstream.requests.length, 0)
  })
}
