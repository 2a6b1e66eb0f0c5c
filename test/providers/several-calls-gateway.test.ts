/** Requests that take more than one call: vectors of more texts than one call holds, and pictures fetched from where they lie. */
import t from 'tap'
import { model, type ScriptedGateway, scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Recorded, type Script } from '../kit/upstream.js'

function post({ url, key }: ScriptedGateway, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

const dashscope = await scriptedGateway(t, { channel: { type: 17 } })

/** A vector of each text, in an order of its own, as a service that takes ten at once. */
const vectors: Script = (request: Recorded, reply) => {
  const { input } = request.json as { readonly input: readonly string[] }
  if (input.length > 10) return json(400, { error: { message: 'batch size' } })(request, reply)
  const data = input.map((text, index) => ({
    ...{ object: 'embedding', index, embedding: [Number(text)] },
  }))
  const usage = { prompt_tokens: input.length, total_tokens: input.length }
  return json(200, { object: 'list', data: data.reverse(), model, usage })(request, reply)
}

function embed(input: readonly string[]) {
  return post(dashscope, '/v1/embeddings', { model, input })
}

t.test('[SVC-3] more texts than one call holds are sent in several and charged once', async (t) => {
  const texts = Array.from({ length: 34 }, (_, at) => String(at))
  dashscope.upstream.script(vectors)
  const response = await embed(texts)
  t.equal(response.status, 200)
  const { data, usage } = (await response.json()) as {
    readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[]
    readonly usage: unknown
  }
  const places = texts.map(Number)
  t.strictSame(
    data.map(({ index }) => index),
    places,
  )
  t.strictSame(
    data.flatMap(({ embedding }) => embedding),
    places,
  )
  t.strictSame(usage, { prompt_tokens: 34, total_tokens: 34 })
  t.equal(dashscope.upstream.requests.length, 4)
  t.match(await dashscope.logs(), [{ prompt_tokens: 34, quota: 34 }])
})

t.test('[SVC-3] one call that fails fails the request, and nothing is charged', async (t) => {
  const before = (await dashscope.logs()).length
  dashscope.upstream.script(vectors, json(400, { error: { message: 'a text is too long' } }))
  const response = await embed(Array.from({ length: 30 }, (_, at) => String(at)))
  t.equal(response.status, 400)
  t.match(await response.json(), { error: { message: /too long/ } })
  const charged = (await dashscope.logs()).slice(0, -before || undefined)
  t.equal(
    charged.reduce((sum, { quota }) => sum + Number(quota), 0),
    0,
  )
})

t.test('[SVC-3] a list that would take hundreds of calls is refused by its field', async (t) => {
  dashscope.upstream.requests.length = 0
  const response = await embed(Array.from({ length: 2600 }, (_, at) => String(at)))
  t.equal(response.status, 400)
  t.match(await response.json(), { error: { param: 'input' } })
  t.equal(dashscope.upstream.requests.length, 0)
})

t.test(
  '[SVC-3] pictures that come as addresses are fetched for who wants their bytes',
  async (t) => {
    const here = await scriptedGateway(t, { channel: { type: 40 } })
    const { upstream } = here
    upstream.takes('the picture is fetched')
    const images = [{ url: `${upstream.url}/a.png` }, { url: `${upstream.url}/b.png` }]
    const made = json(200, { images, timings: {}, seed: 1 })
    const file =
      (bytes: string): Script =>
      (_, response) => {
        response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
      }
    const ask = (response_format: string) =>
      post(here, '/v1/images/generations', { model, prompt: 'p', n: 2, response_format })
    upstream.script(made, file('one'), file('two'))
    const answer = await ask('b64_json')
    t.match(await answer.json(), {
      data: [
        { b64_json: Buffer.from('one').toString('base64'), url: undefined },
        { b64_json: Buffer.from('two').toString('base64'), url: undefined },
      ],
    })
    t.notOk('authorization' in upstream.requests[1]!.headers, 'no key goes to the address')
    t.notOk('response_format' in (upstream.requests[0]!.json as object))

    upstream.script(made)
    t.match(await (await ask('url')).json(), { data: images })

    upstream.script(made, json(404, {}))
    const failed = await ask('b64_json')
    t.equal(failed.status, 502)
    t.notMatch(await failed.text(), upstream.url, 'the address is not named')

    const metadata = 'http://169.254.169.254/latest/meta-data'
    upstream.script(json(200, { images: [{ url: metadata }] }))
    t.not((await ask('b64_json')).status, 200, 'an address inside of the network is not fetched')
    const charged = (await here.logs()).filter(({ quota }) => Number(quota) > 0)
    t.equal(charged.length, 2, 'what failed is not charged')
  },
)
