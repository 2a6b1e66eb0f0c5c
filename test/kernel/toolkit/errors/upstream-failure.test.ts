/** Whose fault a refusal is, and what of it may be stated (ERR-2, S18, X2, X3). */
import t from 'tap'
import { safeText } from '../../../../kernel/toolkit/errors/safe-text.js'
import {
  failureOfError,
  upstreamFailure,
} from '../../../../kernel/toolkit/errors/upstream-failure.js'
import { mintId } from '../../../../kernel/toolkit/format/ids.js'
import { modelSegment, upstreamUrl } from '../../../../kernel/toolkit/provider/address.js'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  head: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

t.test('blame follows the original status (S18)', async (t) => {
  const blames = { client: [] as number[], channel: [] as number[], upstream: [] as number[] }
  for (let status = 400; status < 600; status += 1) {
    blames[upstreamFailure(answer(status, '')).blame].push(status)
  }
  t.strictSame(blames.channel, [401, 402, 403, 404, 407, 409, 410, 429])
  for (const status of [400, 405, 413, 414, 415, 416, 417, 422]) {
    t.ok(blames.client.includes(status), `${status} is the client's`)
  }
  t.strictSame(
    blames.upstream,
    [...Array(100).keys()].map((n) => 500 + n),
  )
  t.equal(upstreamFailure(answer(302, '')).blame, 'upstream')
})

t.test(
  '[ERR-2] the upstream is quoted only where the client can act on it, and safely',
  async (t) => {
    const error = {
      message: 'Unsupported value at https://api.vendor.example/v1 with key sk-abc123DEF456ghi',
      type: 'invalid_request_error',
      param: 'temperature',
      code: null,
    }
    t.match(upstreamFailure(answer(400, { error })), {
      blame: 'client',
      status: 400,
      code: 'upstream_rejected',
      message: 'The upstream refused the request: Unsupported value at *** with key ***',
      type: 'invalid_request_error',
      param: 'temperature',
    })
    for (const status of [401, 403, 429, 500, 503]) {
      const failure = upstreamFailure(answer(status, { error }))
      t.equal(failure.code, 'upstream_error')
      t.notMatch(failure.message, /Unsupported|sk-|vendor/)
      t.equal(failure.type, undefined)
    }
  },
)

t.test('[ERR-2] bodies that cannot be read still make a sentence', async (t) => {
  const bodies = ['', '<!DOCTYPE html><html><body>nginx</body></html>', '{"error":', '[]', 'null']
  const shapes = [{ error: 'plain' }, { message: 'top' }, { error: [{ message: 'first' }] }]
  for (const body of bodies) {
    t.match(upstreamFailure(answer(400, body)).message, /gave no reason/, body)
    t.match(upstreamFailure(answer(502, body)).message, /answered 502/, body)
  }
  const results = shapes.map((shape) => upstreamFailure(answer(400, shape)).message.split(': ')[1])
  t.strictSame(results, ['plain', 'top', 'first'])
  const page = { error: { message: '<html><title>Oops</title></html>' } }
  t.notMatch(upstreamFailure(answer(400, page)).message, /html|Oops/)
  t.ok(upstreamFailure(answer(400, { error: 'x'.repeat(5000) })).message.length < 600)
})

t.test('a picker of its own, and a blame the body knows better', async (t) => {
  const failure = upstreamFailure(answer(400, { fault: 'API key not valid' }), (body) => ({
    message: String(body.fault),
    blame: 'channel',
  }))
  t.match(failure, { blame: 'channel', status: 400, code: 'upstream_error' })
  t.match(failureOfError({ message: 'm', type: 'two words' }, 422), { type: undefined })
})

t.test('how long to stay away', async (t) => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  const table: readonly (readonly [headers: Record<string, string>, ms: number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': '2', 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT', date }, 90_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date }, undefined],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '99999999' }, 86_400_000],
  ]
  for (const [headers, ms] of table) {
    t.equal(upstreamFailure(answer(429, '', headers)).retryAfterMs, ms, JSON.stringify(headers))
  }
})

t.test('masks what could be a key or an address, and leaves the rest (X3)', async (t) => {
  const masked = [
    'sk-proj-abc_DEF-1234567890',
    'Bearer abcdefgh12345',
    'https://user:pw@host.example:8443/a?key=1',
    'api.internal.example.com:8080/v1/x',
    '10.1.2.3:9000',
    'ops@example.com',
    'AIzaSyA1234567890abcdefg',
    'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
    'org-AbCdEfGh1234',
  ]
  for (const secret of masked) {
    const safe = safeText(`before ${secret} after`)
    t.match(safe, /^before .*\*\*\*.* after$/, secret)
    t.notMatch(safe, secret.slice(3, 12), secret)
  }
  const kept =
    "messages.1.content: 'gpt-4o-mini-2024-07-18' takes at most 128,000 tokens (e.g. less)."
  t.equal(safeText(kept), kept)
  t.equal(safeText('one\n\ttwo\u0000three\u2028four'), 'one two three four')
  t.equal([...safeText('🎉'.repeat(600), 10)].length, 11)
})

t.test('a base URL means the same with and without its version (X2)', async (t) => {
  for (const base of [
    'https://h.example',
    'https://h.example/',
    'https://h.example/v1',
    'https://h.example/v1//',
  ]) {
    t.equal(upstreamUrl(base, '/v1/chat/completions'), 'https://h.example/v1/chat/completions')
  }
  t.equal(upstreamUrl('http://127.0.0.1:8080/api/v1/', '/v1/x'), 'http://127.0.0.1:8080/api/v1/x')
  for (const bad of [
    '',
    'h.example',
    'ftp://h.example',
    'https://h.example?x=1',
    'https://u:p@h.example',
    'https://h.example/#a',
  ]) {
    t.throws(() => upstreamUrl(bad, '/v1/x'), { code: 'channel:address_refused' }, bad)
  }
})

t.test('a model name stays one segment of a path (X2)', async (t) => {
  t.equal(modelSegment('gemini-2.5 pro:x@1'), 'gemini-2.5%20pro%3Ax%401')
  for (const bad of [
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    '%2e%2e',
    'a\nb',
    'a\u200bb',
    '\ud800',
  ]) {
    t.throws(
      () => modelSegment(bad),
      { code: 'invalid_request', param: 'model' },
      JSON.stringify(bad),
    )
  }
})

t.test('minted ids depend on their place alone', async (t) => {
  t.equal(mintId('call_', 'a', 0, 1), mintId('call_', 'a', 0, 1))
  t.not(mintId('call_', 'a', 0, 1), mintId('call_', 'a', 1, 0))
  t.match(mintId('call_', ''), /^call_[0-9a-f]{24}$/)
})
