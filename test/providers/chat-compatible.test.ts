/** Upstreams out of the table: every row is addressed and fails alike, and no word of the key ever comes back. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Manifest } from '../../kernel/contract/manifest.js'
import type { OperationName } from '../../kernel/contract/names.js'
import create from '../../providers/chat-compatible/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat')
const manifest = JSON.parse(
  readFileSync(new URL('../../providers/chat-compatible/manifest.json', import.meta.url), 'utf8'),
) as Manifest
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const wire = { kind: 'json', value: { model: 'm' } } as const
const key = 'sk-0123456789abcdefSECRET'

const provider = create()

/** What a channel of this type serves, as `operation address`. */
function served(type: number, baseUrl: string): string[] {
  const channel = Object.freeze({ id: 1, type, baseUrl, settings: {} })
  return (Object.keys(provider.operations) as OperationName[]).flatMap((operation) => {
    const adapter = adapterOf(provider, operation)
    if (adapter.serves?.(channel, 'm') === false) return []
    return [`${operation} ${adapter.address(wire, channel, { key }, context).url}`]
  })
}

t.test('every row serves what its service has, at an address of its own', async (t) => {
  const rows = manifest.channelTypes.map(({ id, baseUrl }) => [id, served(id, baseUrl)])
  t.strictSame(rows, [
    [
      19,
      [
        'chat https://api.360.cn/v1/chat/completions',
        'embeddings https://api.360.cn/v1/embeddings',
      ],
    ],
    [22, ['chat https://fastgpt.run/api/openapi/v1/chat/completions']],
    [31, ['chat https://api.lingyiwanwu.com/v1/chat/completions']],
    [44, ['embeddings https://api.moka.ai/v1/embeddings']],
    [
      46,
      [
        'chat https://qianfan.baidubce.com/v2/chat/completions',
        'embeddings https://qianfan.baidubce.com/v2/embeddings',
        'images https://qianfan.baidubce.com/v2/images/generations',
        'rerank https://qianfan.baidubce.com/v2/rerank',
      ],
    ],
    [53, ['chat https://llm.submodel.ai/v1/chat/completions']],
  ])
})

t.test('a call carries the key, and the application only where one is set', async (t) => {
  const headersOf = (settings: JsonObject) => {
    const channel = { id: 1, type: 46, baseUrl: 'https://h.example', settings }
    return chat.address(wire, channel, { key }, context).headers
  }
  t.equal(headersOf({}).authorization, `Bearer ${key}`)
  t.notOk('appid' in headersOf({}))
  t.notOk('appid' in headersOf({ appid: ' ' }))
  t.equal(headersOf({ appid: ' app-1 ' }).appid, 'app-1')
})

t.test('a base URL with a slash or a version is the same base', async (t) => {
  for (const baseUrl of [
    'https://h.example/x',
    'https://h.example/x/',
    'https://h.example/x/v1',
    'https://h.example/x/v1/',
  ]) {
    const channel = { id: 1, type: 53, baseUrl, settings: {} }
    t.equal(
      chat.address(wire, channel, { key }, context).url,
      'https://h.example/x/v1/chat/completions',
    )
  }
})

t.test('[ERR-2] every refusal is classified and reveals nothing it should not', async (t) => {
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
