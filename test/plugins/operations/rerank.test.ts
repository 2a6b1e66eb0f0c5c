import t from 'tap'
import type { Json } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/rerank/index.js'
import { refusedField, sent } from './asking.js'

const rerank = create()
const body = { model: 'm', query: 'a question', documents: ['one', { text: 'two' }] }

t.test('what is wrong is refused by the name of its field', async (t) => {
  const rows: readonly (readonly [field: string, value: Json])[] = [
    ['model', null],
    ['query', null],
    ['query', ['a']],
    ['documents', null],
    ['documents', 'one'],
    ['documents', []],
    ['documents', [1]],
    ['documents', [null]],
    ['top_n', -1],
    ['top_n', '3'],
    ['return_documents', 'yes'],
    ['max_chunk_per_doc', 0.5],
    ['overlap_tokens', true],
  ]
  for (const [field, value] of rows) {
    const text = JSON.stringify({ [field]: value })
    t.equal(refusedField(rerank, { ...body, [field]: value }), field, text)
  }
})

t.test('zeros and empty texts are the client’s business', async (t) => {
  const explicit = {
    query: '',
    documents: [''],
    top_n: 0,
    return_documents: false,
    overlap_tokens: 0,
  }
  t.equal(refusedField(rerank, { model: 'm', ...explicit }), undefined)
  t.equal(
    refusedField(rerank, { ...body, query: { image: 'https://example.com/a.png' } }),
    undefined,
  )
})

t.test('the estimate is the query and all documents', async (t) => {
  const request = { model: 'm', query: 'hello world', documents: ['hello world', 'hello world'] }
  t.strictSame(rerank.estimate(sent(request)), { input: 6 })
  t.ok(rerank.estimate(sent(body)).input! >= 4)
  t.strictSame(rerank.limits(sent(body)), { maxOutput: 0 })
})

t.test('usage is the total, wherever it stands', async (t) => {
  const read = (more: Readonly<Record<string, Json>>) =>
    rerank.readReply({ results: [], ...more }, sent(body))
  t.match(read({ usage: { total_tokens: 12, prompt_tokens: 10 } }), { usage: { input: 12 } })
  t.match(read({ usage: { prompt_tokens: 10 } }), { usage: { input: 10 } })
  t.match(read({ meta: { tokens: { input_tokens: 8 } } }), { usage: { input: 8 } })
  t.strictSame(read({ meta: { billed_units: { search_units: 1 } } }), {
    usage: {},
    estimatedTokens: 0,
  })
})

t.test('a 200 that is an error, or nothing of the kind, is a failure', async (t) => {
  t.match(rerank.readReply({ error: { message: 'x' } }, sent(body)), { failure: { status: 502 } })
  t.match(rerank.readReply({ detail: 'x' }, sent(body)), { failure: { blame: 'upstream' } })
})
