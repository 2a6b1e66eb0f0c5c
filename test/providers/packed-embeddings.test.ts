/** Vectors requested as base64 come as base64, whatever the upstream makes of it. */
import OpenAI from 'openai'
import t from 'tap'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'
import { floatsOnly } from '../kit/vendors/mistral.js'

const vector = [0.25, -1.5, 3, 0]
const answer = {
  object: 'list',
  model,
  data: [
    { object: 'embedding', index: 0, embedding: vector },
    { object: 'embedding', index: 1, embedding: vector },
  ],
  usage: { prompt_tokens: 4, total_tokens: 4 },
}

t.test('OpenAI’s client reads Mistral’s vectors, requested in its own default', async (t) => {
  const { upstream, url, key, logs } = await scriptedGateway(t, { channel: { type: 42 } })
  upstream.script(strictly([floatsOnly], json(200, answer)))
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const { data } = await client.embeddings.create({ model, input: ['a', 'b'] })
  t.match(upstream.requests[0]?.json, { encoding_format: 'float' })
  t.same(
    data.map(({ embedding }) => [...embedding]),
    [vector, vector],
  )
  t.match((await logs())[0], { prompt_tokens: 4 })
})

const knownFields: VendorRule = {
  rule: 'Extra inputs are not permitted',
  source: 'docs.mistral.ai/api/endpoint/embeddings',
  read: '2026-11-27',
  broken: ({ json: body }) => body?.dimensions !== undefined || body?.user !== undefined,
}

t.test('Mistral reads the number of dimensions by its own name', async (t) => {
  const { upstream, url, key } = await scriptedGateway(t, { channel: { type: 42 } })
  t.teardown(upstream.takes('a field of this vendor', ['output_dimension']))
  upstream.script(strictly([floatsOnly, knownFields], json(200, answer)))
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  await client.embeddings.create({ model, input: ['a', 'b'], dimensions: 4, user: 'u' })
  t.match(upstream.requests[0]?.json, { output_dimension: 4 })
})

const ownEncodings: VendorRule = {
  rule: 'encoding_format must be base64_int8 or base64_binary',
  source: 'docs.perplexity.ai/docs/embeddings/best-practices',
  read: '2026-11-27',
  broken: ({ json: body }) => !/^base64_(?:int8|binary)$/.test(String(body?.encoding_format)),
}

t.test('OpenAI’s client reads Perplexity’s bytes as the numbers they are', async (t) => {
  const { upstream, url, key, logs } = await scriptedGateway(t, { channel: { type: 27 } })
  t.teardown(upstream.takes('an encoding of this vendor'))
  const embedding = Buffer.from(Int8Array.of(127, -128, 0, 5)).toString('base64')
  const data = [{ object: 'embedding', index: 0, embedding }]
  upstream.script(strictly([ownEncodings], json(200, { ...answer, data })))
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const packed = await client.embeddings.create({ model, input: 'a' })
  t.same([...packed.data[0]!.embedding], [127, -128, 0, 5])
  const plain = await client.embeddings.create({ model, input: 'a', encoding_format: 'float' })
  t.same(plain.data[0]!.embedding, [127, -128, 0, 5])
  t.match((await logs())[0], { prompt_tokens: 4 })
})

t.test('an upstream that pays no heed to the format is put right', async (t) => {
  const gateway = await scriptedGateway(t)
  const { upstream, url, key } = gateway
  const ask = async (fields: object) => {
    const reply = await fetch(`${url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'a', ...fields }),
    })
    return reply.text()
  }
  upstream.script(json(200, answer))
  const packed = JSON.parse(await ask({ encoding_format: 'base64' })) as {
    data: { embedding: string }[]
  }
  const bytes = Buffer.from(packed.data[1]!.embedding, 'base64')
  t.same(
    vector.map((_, at) => bytes.readFloatLE(at * 4)),
    vector,
  )
  t.match(upstream.requests[0]?.json, { encoding_format: 'base64' }, 'others may pack themselves')
  t.equal(await ask({ encoding_format: 'float' }), JSON.stringify(answer), 'the bytes pass')
  t.equal(await ask({}), JSON.stringify(answer))
  const own = { ...answer, data: [{ object: 'embedding', index: 0, embedding: 'AAAAAA==' }] }
  upstream.script(json(200, own))
  t.equal(await ask({ encoding_format: 'base64' }), JSON.stringify(own), 'packed there already')
})
