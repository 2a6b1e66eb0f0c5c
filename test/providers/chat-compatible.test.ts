/** Upstreams out of the table: every row is addressed and fails alike, and no word of the key ever comes back. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Manifest } from '../../kernel/contract/manifest.js'
import create from '../../providers/chat-compatible/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat')
const manifest = JSON.parse(
  readFileSync(new URL('../../providers/chat-compatible/manifest.json', import.meta.url), 'utf8'),
) as Manifest
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const wire = { kind: 'json', value: { model: 'm' } } as const
const key = 'sk-0123456789abcdefSECRET'

t.test('every row has an address of its own', async (t) => {
  const urls = manifest.channelTypes.map(({ id: type, baseUrl }) => {
    const channel = Object.freeze({ id: 1, type, baseUrl, settings: {} })
    const request = chat.address(wire, channel, { key }, context)
    t.strictSame(chat.address(wire, channel, { key }, context), request)
    t.match(request, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
    t.equal(request.body, undefined)
    return `${type} ${request.url}`
  })
  t.strictSame(urls, [
    '25 https://api.moonshot.cn/v1/chat/completions',
    '40 https://api.siliconflow.cn/v1/chat/completions',
    '43 https://api.deepseek.com/v1/chat/completions',
  ])
})

t.test('a base URL with a slash or a version is the same base', async (t) => {
  for (const baseUrl of [
    'https://h.example/x',
    'https://h.example/x/',
    'https://h.example/x/v1',
    'https://h.example/x/v1/',
  ]) {
    const channel = { id: 1, type: 43, baseUrl, settings: {} }
    t.equal(
      chat.address(wire, channel, { key }, context).url,
      'https://h.example/x/v1/chat/completions',
    )
  }
})

t.test('[ERR-2] every refusal is classified and says nothing it should not', async (t) => {
  const bodies = [
    JSON.stringify({
      error: { message: `Authentication Fails, your api key: ${key} is invalid`, code: 1 },
    }),
    JSON.stringify({ message: `see https://h.example/?key=${key}` }),
    '<html><body>Bad Gateway</body></html>',
    '{"error":',
    '',
  ]
  const blames: Readonly<Record<number, string>> = {
    400: 'client',
    401: 'channel',
    402: 'channel',
    403: 'channel',
    404: 'channel',
    408: 'client',
    409: 'channel',
    413: 'client',
    422: 'client',
    429: 'channel',
    500: 'upstream',
    503: 'upstream',
    529: 'upstream',
  }
  for (const [status, blame] of Object.entries(blames)) {
    for (const body of bodies) {
      const failure = chat.fail(Number(status), { 'retry-after': '7' }, Buffer.from(body))
      t.match(failure, { blame, status: Number(status), retryAfterMs: 7000 })
      t.notMatch(failure.message, /SECRET|h\.example|html|Bad Gateway/)
      t.ok(failure.message.length > 10 && failure.message.length < 600)
    }
  }
})
