import t from 'tap'
import { toClientError } from '../../../../kernel/toolkit/errors/outcome.js'
import {
  countOf,
  disjoint,
  failureIn,
  inputReading,
  WholeJsonWatch,
} from '../../../../kernel/toolkit/operation/operation-answer.js'

t.test('shares come out of their totals and never exceed them', async (t) => {
  t.strictSame(disjoint({ input: 10, cached: 4, output: 3, reasoning: 2 }), {
    cacheRead: 4,
    input: 6,
    output: 3,
    reasoning: 2,
  })
  t.strictSame(disjoint({ input: 10, cached: 40, images: 5 }), {
    cacheRead: 10,
    inputImage: 0,
    input: 0,
  })
  t.strictSame(disjoint({ input: undefined, cached: 4 }), { cacheRead: 4 })
  t.strictSame(disjoint({ input: 0, output: 0 }), { input: 0, output: 0 }, '0 is not missing')
  t.strictSame(disjoint({ input: 5, cached: -3 }).input, 5, 'a share below 0 adds nothing')
  t.strictSame(disjoint({ input: undefined }), {})
})

t.test('only finite numbers are counts', async (t) => {
  t.equal(countOf(0), 0)
  for (const value of [undefined, null, '5', Number.NaN, Number.POSITIVE_INFINITY, {}]) {
    t.equal(countOf(value), undefined)
  }
})

t.test('the first count that is reported stands for the input', async (t) => {
  t.match(inputReading({ b: 2, a: 1 }, ['a', 'b']), { usage: { input: 1 }, estimatedTokens: 0 })
  t.match(inputReading({ b: 2, a: 'x' }, ['a', 'b']), { usage: { input: 2 } })
  t.strictSame(inputReading(undefined, ['a']), { usage: {}, estimatedTokens: 0 })
  t.strictSame(inputReading({ c: 1 }, ['a']), { usage: {}, raw: { c: 1 }, estimatedTokens: 0 })
})

t.test(
  'an error in place of an answer is reported by its words, its status, or neither',
  async (t) => {
    const rows: readonly (readonly [body: Record<string, unknown>, failure: object])[] = [
      [{ error: { message: 'm', type: 'insufficient_quota' } }, { status: 402, blame: 'channel' }],
      [{ error: { code: 'rate_limit_exceeded' } }, { status: 429, blame: 'channel' }],
      [{ error: { code: 'invalid_api_key' } }, { status: 401, blame: 'channel' }],
      [{ error: { code: 404 } }, { status: 404, blame: 'channel' }],
      [{ error: { status: '503' } }, { status: 503, blame: 'upstream' }],
      [{ error: { type: 'invalid_request_error' } }, { status: 400, blame: 'client' }],
      [{ error: 'it broke' }, { status: 502, blame: 'upstream' }],
      [
        { object: 'error', code: 400, message: 'bad' },
        { status: 400, blame: 'client' },
      ],
      [{ object: 'error' }, { status: 502, blame: 'upstream' }],
    ]
    for (const [body, failure] of rows) {
      t.match(failureIn(JSON.parse(JSON.stringify(body))), failure, JSON.stringify(body))
    }
    for (const body of [{}, { error: null }, { error: '' }, { error: false }, { object: 'list' }]) {
      t.equal(failureIn(body), undefined, JSON.stringify(body))
    }
  },
)

t.test('[ERR-2] what an upstream states of its own account stays with it', async (t) => {
  const failure = failureIn({ error: { message: 'quota of org-123 is spent', code: 'quota' } })
  t.ok(failure)
  t.notMatch(JSON.stringify(toClientError(failure!)), 'org-123')
})

t.test('what must be JSON is held until it is whole and read then', async (t) => {
  const read = () => ({ usage: { input: 1 }, raw: { a: 1 }, estimatedTokens: 2 })
  const watch = new WholeJsonWatch(read)
  t.equal(watch.push(Buffer.from('{"a"')).length, 0)
  t.equal(watch.push(Buffer.from(':1}')).length, 0)
  t.match(watch, { started: false, ended: false, usage: undefined })
  t.equal(watch.flush().toString(), '{"a":1}')
  t.match(watch, {
    ended: true,
    usage: { input: 1 },
    raw: { a: 1 },
    estimatedTokens: 2,
    failure: undefined,
  })
})

t.test('what is no JSON object, or states it failed, passes nothing on', async (t) => {
  for (const text of ['', '[]', '<html>', '{"a":']) {
    const watch = new WholeJsonWatch(() => ({ estimatedTokens: 0 }))
    watch.push(Buffer.from(text))
    t.equal(watch.flush().length, 0)
    t.match(watch, { ended: false, failure: { blame: 'upstream' } })
  }
  const failure = { blame: 'client', status: 400, code: 'upstream_rejected', message: 'x' } as const
  const watch = new WholeJsonWatch(() => ({ estimatedTokens: 0, failure }))
  watch.push(Buffer.from('{}'))
  t.equal(watch.flush().length, 0)
  t.equal(watch.failure, failure)
})
