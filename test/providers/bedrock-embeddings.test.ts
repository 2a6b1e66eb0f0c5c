/** Embeddings by InvokeModel: what each maker's models are asked, and what comes back. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import { embeddingModel } from '../../providers/bedrock/embeddings/facts.js'
import { adapterFor, callOf, channelWith, servingAll } from './bedrock-adapters.js'

const titan1 = 'amazon.titan-embed-text-v1'
const titan2 = 'amazon.titan-embed-text-v2:0'
const multimodal = 'amazon.titan-embed-image-v1'
const cohere3 = 'cohere.embed-multilingual-v3'
const cohere4 = 'us.cohere.embed-v4:0'
const nova = 'amazon.nova-2-multimodal-embeddings-v1:0'
const picture = { image: 'data:image/png;base64,iVBO' }

function shaped(model: string, fields: JsonObject, settings: JsonObject = {}) {
  const body = { kind: 'json', value: { model, ...fields } } as const
  const made = adapterFor(model, 'embeddings').shape!(body, channelWith(settings), model)
  return made.kind === 'json' ? made.value : undefined
}

t.test('each maker’s models are asked in their words', async (t) => {
  const rows: [string, JsonObject, JsonObject][] = [
    [titan1, { input: 'Hi' }, { inputText: 'Hi' }],
    [titan2, { input: ['Hi'] }, { inputText: 'Hi' }],
    [
      titan2,
      { input: 'Hi', dimensions: 512, normalize: false },
      { inputText: 'Hi', dimensions: 512, normalize: false },
    ],
    [
      multimodal,
      { input: [picture], dimensions: 384 },
      {
        ...{ inputImage: 'iVBO', embeddingConfig: { outputEmbeddingLength: 384 } },
      },
    ],
    [
      cohere3,
      { input: ['a', 'b'] },
      {
        ...{ input_type: 'search_document', embedding_types: ['float'], texts: ['a', 'b'] },
      },
    ],
    [
      cohere4,
      { input: 'a', dimensions: 1536, input_type: 'search_query', truncate: 'RIGHT' },
      {
        ...{ input_type: 'search_query', embedding_types: ['float'], texts: ['a'] },
        ...{ output_dimension: 1536, truncate: 'RIGHT' },
      },
    ],
    [
      cohere4,
      { input: ['a', picture] },
      {
        ...{ input_type: 'search_document', embedding_types: ['float'] },
        inputs: [
          { content: [{ type: 'text', text: 'a' }] },
          { content: [{ type: 'image_url', image_url: picture.image }] },
        ],
      },
    ],
    [
      nova,
      { input: 'a', dimensions: 256 },
      {
        taskType: 'SINGLE_EMBEDDING',
        singleEmbeddingParams: {
          ...{ embeddingPurpose: 'GENERIC_INDEX', embeddingDimension: 256 },
          text: { truncationMode: 'NONE', value: 'a' },
        },
      },
    ],
    [
      nova,
      { input: [picture], input_type: 'search_query' },
      {
        taskType: 'SINGLE_EMBEDDING',
        singleEmbeddingParams: {
          embeddingPurpose: 'GENERIC_RETRIEVAL',
          image: { format: 'png', source: { bytes: 'iVBO' } },
        },
      },
    ],
  ]
  for (const [model, fields, expected] of rows) t.same(shaped(model, fields), expected, model)
  const settings = { input_type: 'clustering' }
  t.match(shaped(cohere3, { input: 'a' }, settings), { input_type: 'clustering' })
  const call = callOf(adapterFor(titan2, 'embeddings'), { inputText: 'Hi' }, { model: titan2 })
  t.match(call.url, /\/model\/amazon\.titan-embed-text-v2%3A0\/invoke$/)
  t.same(servingAll('amazon.nova-lite-v1:0', 'embeddings'), [])
})

t.test('[FMT-9] what a model cannot be asked is refused by the client’s field', async (t) => {
  const rows: [string, JsonObject, string][] = [
    [titan2, { input: [1, 2, 3] }, 'input'],
    [cohere3, { input: [[1, 2]] }, 'input'],
    [titan2, { input: [picture] }, 'input'],
    [cohere3, { input: [picture] }, 'input'],
    [cohere4, { input: [{ image: 'https://x.example/i.png' }] }, 'input'],
    [titan1, { input: 'a', dimensions: 256 }, 'dimensions'],
    [titan2, { input: 'a', dimensions: 300 }, 'dimensions'],
    [cohere3, { input: 'a', dimensions: 1024 }, 'dimensions'],
  ]
  for (const [model, fields, param] of rows) {
    t.throws(() => shaped(model, fields), { code: 'not_expressible', param }, `${model} ${param}`)
  }
})

t.test('how many inputs one call holds is known of every model', async (t) => {
  for (const model of [titan1, titan2, multimodal, nova])
    t.equal(embeddingModel(model)?.inputsMax, 1)
  for (const model of [cohere3, cohere4, 'cohere.embed-english-v3']) {
    t.equal(embeddingModel(model)?.inputsMax, 96)
  }
})

t.test('vectors are read from every form, with the tokens that were counted', async (t) => {
  const answered = (model: string, body: JsonObject, headers = {}, requested: JsonObject = {}) =>
    adapterFor(model, 'embeddings').answer!(
      { status: 200, headers, body: Buffer.from(JSON.stringify(body)) },
      { kind: 'json', value: requested },
      model,
    )
  const counted = { 'x-amzn-bedrock-input-token-count': '7' }
  const two = [
    { object: 'embedding', index: 0, embedding: [0.5, 1] },
    { object: 'embedding', index: 1, embedding: [2, 3] },
  ]
  t.same(answered(titan2, { embedding: [0.5, 1], inputTextTokenCount: 3 }, counted), {
    json: {
      ...{ object: 'list', model: titan2, data: two.slice(0, 1) },
      usage: { prompt_tokens: 3, total_tokens: 3 },
    },
  })
  const vectors = [
    [0.5, 1],
    [2, 3],
  ]
  const listed = { json: { object: 'list', model: cohere3, data: two } }
  t.same(answered(cohere3, { embeddings: vectors, response_type: 'embeddings_floats' }), listed)
  t.match(answered(cohere3, { embeddings: { float: vectors } }, counted), {
    json: { data: two, usage: { prompt_tokens: 7 } },
  })
  const wrapped = { embeddings: [{ embeddingType: 'TEXT', embedding: [0.5, 1] }] }
  t.match(answered(nova, wrapped), { json: { data: two.slice(0, 1) } })
  const packed = answered(titan2, { embedding: [0.5, 1] }, {}, { encoding_format: 'base64' })
  t.match(packed, { json: { data: [{ embedding: 'AAAAPwAAgD8=' }] } })
  for (const body of [
    {},
    { embeddings: [] },
    { embedding: 'x' },
    { embeddings: { int8: vectors } },
  ]) {
    t.match(answered(titan2, body), { failure: { blame: 'upstream' } }, JSON.stringify(body))
  }
})
