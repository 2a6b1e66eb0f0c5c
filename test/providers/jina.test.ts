/** Jina: the words it refuses are spelled its way, everything else passes, and what it counts is what is charged. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/jina/index.js'
import { adapterOf } from '../conformance/provider.js'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'

const channel = { id: 1, type: 38, baseUrl: 'https://api.jina.ai', settings: {} }
const embeddings = adapterOf(create(), 'embeddings')

function adjusted(wire: JsonObject): JsonObject {
  return embeddings.adjust!(wire, channel)
}

t.test('the encoding has another name here', async (t) => {
  t.strictSame(adjusted({ model: 'm', input: 'a', encoding_format: 'base64' }), {
    model: 'm',
    input: 'a',
    embedding_type: 'base64',
  })
  t.strictSame(adjusted({ encoding_format: 'float', embedding_type: 'binary', user: 'u' }), {
    embedding_type: 'binary',
  })
  const own = { model: 'm', input: [{ image: 'x' }], task: 'retrieval.query', late_chunking: false }
  t.equal(adjusted(own), own, 'nothing to change is nothing changed')
})

t.test('a refusal states what the service stated, and which field', async (t) => {
  const body = {
    detail: 'Extra inputs are not permitted',
    errors: [{ field: 'body -> jina-embeddings-v3 -> tone', message: 'x' }],
  }
  const failure = embeddings.fail(422, {}, Buffer.from(JSON.stringify(body)))
  t.match(failure, { blame: 'client', param: 'tone', message: /Extra inputs/ })
  t.match(embeddings.fail(400, {}, Buffer.from('{"detail":[{"msg":"bad"}]}')), { message: /bad/ })
})

const gateway = await scriptedGateway(t, { channel: { type: 38 } })
gateway.upstream.takes('fields of this vendor', ['task', 'embedding_type'])

function post(path: string, body: object): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...body }),
  })
}

function recorded(name: string): JsonObject {
  return JSON.parse(
    readFileSync(new URL(`../fixtures/jina/${name}.json`, import.meta.url)).toString(),
  )
}

t.test(
  'embeddings and rerank pass as they are and are charged by the tokens reported',
  async (t) => {
    const before = await gateway.balance()
    gateway.upstream.script(json(200, recorded('embeddings')), json(200, recorded('rerank')))
    const vectors = await post('/v1/embeddings', {
      input: ['a'],
      encoding_format: 'float',
      task: 't',
    })
    t.strictSame(await vectors.json(), recorded('embeddings'))
    t.strictSame(gateway.upstream.requests[0]?.json, {
      model,
      input: ['a'],
      task: 't',
      embedding_type: 'float',
    })
    const ranked = await post('/v1/rerank', { query: 'q', documents: ['one', { text: 'two' }] })
    t.strictSame(await ranked.json(), recorded('rerank'))
    t.equal(gateway.upstream.requests[1]?.path, '/v1/rerank')
    t.equal(before - (await gateway.balance()), 44n)
  },
)
