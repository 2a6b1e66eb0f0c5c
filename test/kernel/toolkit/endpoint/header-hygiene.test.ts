import t from 'tap'
import {
  appendClientHeaders,
  outgoingHeaders,
  upstreamHeaders,
} from '../../../../kernel/toolkit/endpoint/header-hygiene.js'

const hopByHop = {
  connection: 'keep-alive, X-Named',
  'keep-alive': 'timeout=5',
  'proxy-authenticate': 'Basic',
  'proxy-authorization': 'Basic eA==',
  te: 'trailers',
  trailer: 'x-sum',
  'transfer-encoding': 'chunked',
  upgrade: 'h2c',
  'x-named': 'by the connection header',
}

t.test('[ERR-3] what `Connection` names does not reach the client either', async (t) => {
  const headers = {
    connection: 'close, X-Waybill-Mode',
    'x-waybill-mode': 'a',
    'x-waybill-lost': 'b',
  }
  t.strictSame(appendClientHeaders([], headers, 200), ['x-waybill-lost', 'b'])
})

t.test('[ERR-3] an upstream answer loses set-cookie, hop-by-hop and named headers', async (t) => {
  const kept = upstreamHeaders({
    ...hopByHop,
    'set-cookie': ['a=1', 'b=2'],
    'content-type': 'application/json',
    'retry-after': ['1', '2'],
  })
  t.strictSame(kept, { 'content-type': 'application/json', 'retry-after': '2' })
})

t.test(
  '[ERR-3] an outgoing request loses them too, and speaks its own encoding (S12)',
  async (t) => {
    const flat = outgoingHeaders({
      ...hopByHop,
      'Accept-Encoding': 'gzip, br',
      'content-length': '999',
      host: 'elsewhere.example',
      expect: '100-continue',
      'bad name': 'x',
      'x-bad-value': 'a\r\nb: c',
      Authorization: 'Bearer k',
    })
    t.strictSame(flat, ['accept-encoding', 'identity', 'authorization', 'Bearer k'])
  },
)

t.test('[ERR-3] only listed headers reach the client', async (t) => {
  const upstream = {
    ...hopByHop,
    'set-cookie': 'a=1',
    'content-type': 'application/json',
    'content-length': '12',
    'content-encoding': 'gzip',
    'x-request-id': 'theirs',
    'request-id': 'theirs',
    'x-oneapi-request-id': 'theirs',
    'openai-organization': 'the operator',
    'openai-processing-ms': '12',
    'x-ratelimit-remaining-tokens': '9',
    'retry-after': '3',
    server: 'cloud',
    'access-control-allow-origin': 'https://theirs.example',
    'x-waybill-lost': 'seed',
    'x-waybill-bad': 'two\r\nlines',
    'x-waybill-bad name': 'x',
  }
  t.strictSame(appendClientHeaders([], upstream, 200), [
    'content-type',
    'application/json',
    'openai-processing-ms',
    '12',
    'x-waybill-lost',
    'seed',
  ])
  t.notOk(
    Object.keys(upstreamHeaders(upstream)).some((name) => name.startsWith('x-waybill-')),
    'an upstream does not speak for the gateway',
  )
  const onError = appendClientHeaders([], upstream, 429)
  t.ok(onError.includes('retry-after'))
  t.ok(onError.includes('x-ratelimit-remaining-tokens'))
})
