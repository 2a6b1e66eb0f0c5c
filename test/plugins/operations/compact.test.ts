import t from 'tap'
import type { Json } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/compact/index.js'
import { refusedField, sent } from './asking.js'

const compact = create()
const body = { model: 'gpt-5', input: [{ role: 'user', content: 'hello' }] }

t.test('it is priced under a name of its own', async (t) => {
  t.equal(compact.priceName?.('gpt-5'), 'gpt-5-openai-compact')
})

t.test('what is wrong is refused by the name of its field', async (t) => {
  const rows: readonly (readonly [field: string, value: Json])[] = [
    ['model', 5],
    ['input', null],
    ['input', 7],
    ['input', ['text']],
    ['instructions', []],
    ['previous_response_id', 5],
    ['prompt_cache_key', 5],
    ['max_output_tokens', -1],
    ['stream', true],
    ['stream', 'no'],
  ]
  for (const [field, value] of rows) {
    const text = JSON.stringify({ [field]: value })
    t.equal(refusedField(compact, { ...body, [field]: value }), field, text)
  }
})

t.test('a stored answer may be all there is to shorten', async (t) => {
  t.equal(refusedField(compact, { model: 'm', previous_response_id: 'resp_1' }), undefined)
  t.equal(refusedField(compact, { model: 'm', input: '' }), undefined)
  const nulls = { model: 'm', input: 'a', instructions: null, previous_response_id: null }
  t.equal(refusedField(compact, nulls), undefined)
  t.equal(refusedField(compact, { ...body, stream: false, other: 0 }), undefined)
})

t.test('the limit is the client’s, and the estimate reads items and instructions', async (t) => {
  t.strictSame(compact.limits(sent(body)), {})
  t.strictSame(compact.limits(sent({ ...body, max_output_tokens: 0 })), { maxOutput: 0 })
  const short = compact.estimate(sent(body)).input!
  const long = compact.estimate(sent({ ...body, instructions: 'hello world' })).input!
  t.equal(long - short, 2)
  const sealed = [{ type: 'compaction', encrypted_content: 'A'.repeat(100_000) }]
  t.ok(
    compact.estimate(sent({ ...body, input: sealed })).input! < 20,
    'nobody reads what is sealed',
  )
})

t.test('usage is disjoint', async (t) => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  }
  const read = compact.readReply({ object: 'response.compaction', output: [], usage }, sent(body))
  t.strictSame(read, {
    usage: { cacheRead: 60, input: 40, output: 20, reasoning: 5 },
    raw: usage,
    estimatedTokens: 0,
  })
})

t.test('without usage the text is counted', async (t) => {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'hello world' }] }]
  const { usage, estimatedTokens } = compact.readReply({ output }, sent(body))
  t.equal(usage, undefined)
  t.ok(estimatedTokens >= 2)
})

t.test('a 200 that is an error, or nothing of the kind, is a failure', async (t) => {
  t.match(compact.readReply({ error: { code: 'rate_limit' } }, sent(body)), {
    failure: { status: 429, blame: 'channel' },
  })
  t.match(compact.readReply({ object: 'response' }, sent(body)), { failure: { blame: 'upstream' } })
})
