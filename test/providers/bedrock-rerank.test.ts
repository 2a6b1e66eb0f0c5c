/** Ranking: Cohere's models by InvokeModel, Amazon's by the operation of its own. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import { account, adapterFor, callOf, channelWith } from './bedrock-adapters.js'

const cohere = 'cohere.rerank-v3-5:0'
const amazon = 'amazon.rerank-v1:0'
const documents = ['one', { text: 'two' }, { title: 'Three', size: 3 }]

function request(model: string, fields: JsonObject = {}, key?: string) {
  const value: JsonObject = { model, query: 'which', documents, ...fields }
  const adapter = adapterFor(model, 'rerank')
  const made = adapter.shape!({ kind: 'json', value }, channelWith(), model)
  const wire = made.kind === 'json' ? made.value : {}
  const { url, headers, body } = callOf(adapter, wire, { model, ...(key && { key }) })
  return { url, headers, body: JSON.parse(String(body)) }
}

t.test('Cohere’s models take texts, in the second version of their form', async (t) => {
  const { url, body } = request(cohere, { top_n: 2, max_tokens_per_doc: 512 })
  t.match(
    url,
    /bedrock-runtime\.us-east-1\.amazonaws\.com\/model\/cohere\.rerank-v3-5%3A0\/invoke$/,
  )
  t.same(body, {
    ...{ api_version: 2, query: 'which', top_n: 2, max_tokens_per_doc: 512 },
    documents: ['one', 'two', 'title: "Three"\nsize: 3'],
  })
})

t.test(
  'Amazon’s model stands in the body, and documents of several fields stay what they are',
  async (t) => {
    const { url, headers, body } = request(amazon)
    t.equal(url, 'https://bedrock-agent-runtime.us-east-1.amazonaws.com/rerank')
    t.match(headers.authorization, '/us-east-1/bedrock/aws4_request')
    const inline = (inlineDocumentSource: object) => ({ type: 'INLINE', inlineDocumentSource })
    t.same(body, {
      queries: [{ type: 'TEXT', textQuery: { text: 'which' } }],
      sources: [
        inline({ type: 'TEXT', textDocument: { text: 'one' } }),
        inline({ type: 'TEXT', textDocument: { text: 'two' } }),
        inline({ type: 'JSON', jsonDocument: { title: 'Three', size: 3 } }),
      ],
      rerankingConfiguration: {
        type: 'BEDROCK_RERANKING_MODEL',
        bedrockRerankingConfiguration: {
          numberOfResults: 3,
          modelConfiguration: {
            modelArn: 'arn:aws:bedrock:us-east-1::foundation-model/amazon.rerank-v1:0',
          },
        },
      },
    })
    t.match(request(amazon, { top_n: 2 }).body, {
      rerankingConfiguration: { bedrockRerankingConfiguration: { numberOfResults: 2 } },
    })
    const arn = `arn:aws:bedrock:eu-central-1:${account}:provisioned-model/amazon.rerank-x`
    t.match(request(arn), {
      url: /bedrock-agent-runtime\.eu-central-1\./,
      body: {
        rerankingConfiguration: {
          bedrockRerankingConfiguration: { modelConfiguration: { modelArn: arn } },
        },
      },
    })
    const gov = request(amazon, {}, 'AK|SK|us-gov-west-1').body
    t.match(JSON.stringify(gov), 'arn:aws-us-gov:bedrock:us-gov-west-1::')
  },
)

t.test('[FMT-9] what cannot be ranked is refused by name', async (t) => {
  for (const model of [cohere, amazon]) {
    const refused = (fields: JsonObject, param: string) =>
      t.throws(
        () => request(model, fields),
        { code: 'not_expressible', param },
        `${model} ${param}`,
      )
    refused({ query: { image: 'x' } }, 'query')
    refused({ documents: [{ image: 'x' }] }, 'documents')
  }
  t.throws(() => request(amazon, { top_n: 0 }), { code: 'not_expressible', param: 'top_n' })
})

t.test('rankings come back in one form, with the documents where they are wanted', async (t) => {
  const answered = (model: string, body: JsonObject, over: JsonObject = {}) =>
    adapterFor(model, 'rerank').answer!(
      { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
      { kind: 'json', value: { query: 'which', documents, ...over } },
      model,
    )
  const results = [
    { index: 2, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ]
  t.same(answered(cohere, { results }), { json: { model: cohere, results } })
  const scored = results.map(({ index, relevance_score }) => ({
    index,
    relevanceScore: relevance_score,
  }))
  t.same(answered(amazon, { results: scored }), { json: { model: amazon, results } })
  t.match(answered(amazon, { results: scored }, { return_documents: true }), {
    json: {
      results: [{ document: { text: 'title: "Three"\nsize: 3' } }, { document: { text: 'one' } }],
    },
  })
  for (const model of [cohere, amazon]) {
    t.match(answered(model, { message: 'x' }), { failure: { blame: 'upstream' } })
  }
})
