/** Answers of an upstream that is called several times for one request, and does not send what it was asked for. */
import t from 'tap'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Recorded, type Script } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { admin, upstream } = gateway
/** It takes ten texts at once. */
const perCall = 10
const texts = Array.from({ length: 30 }, (_, at) => String(at))

const inputOf = ({ json }: Recorded) => (json as { readonly input: readonly string[] }).input
const vector = (text: string, index: number) => ({
  ...{ object: 'embedding', index, embedding: [Number(text)] },
})

type Vector = ReturnType<typeof vector>

interface Answer {
  readonly data: readonly (Vector | null)[]
  readonly usage: unknown
}

/** Answers the second call in another way. */
function second(change: (answer: { data: Vector[]; usage: unknown }) => Answer): Script {
  return (request, response) => {
    const input = inputOf(request)
    const usage = { prompt_tokens: input.length, total_tokens: input.length }
    const plain = { data: input.map(vector), usage }
    const isSecond = input[0] === String(perCall)
    const answer = isSecond ? change(plain) : plain
    return json(200, { object: 'list', model, ...answer })(request, response)
  }
}

let made = 0

/** By a channel of its own, since one that sent an error rests. */
async function embedded(script: Script) {
  const name = `m-${++made}`
  await admin.option('ModelRatio', { [name]: 1 })
  const fields = { type: 17, key: 'upstream-key', base_url: upstream.url, group: 'default' }
  await admin.channel({ ...fields, name, models: name })
  upstream.script(script)
  const response = await fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, input: texts }),
  })
  const { data = [], usage } = (await response.json()) as Partial<Answer>
  const rows = (await gateway.logs()).filter(({ model_name }) => model_name === name)
  const vectors = data.map((one) => one?.embedding[0])
  return {
    status: response.status,
    vectors,
    usage,
    quota: rows.reduce((sum, row) => sum + Number(row.quota), 0),
  }
}

const faults: Readonly<Record<string, Parameters<typeof second>[0]>> = {
  'fewer vectors': ({ data, usage }) => ({ data: data.slice(1), usage }),
  'more vectors': ({ data, usage }) => ({ data: [...data, ...data], usage }),
  'no vectors': ({ usage }) => ({ data: [], usage }),
  'nothing in their place': ({ data, usage }) => ({ data: data.map(() => null), usage }),
  'one place twice': ({ data, usage }) => ({
    data: data.map((one, at) => ({ ...one, index: at === 9 ? 3 : at })),
    usage,
  }),
  'places below zero': ({ data, usage }) => ({
    data: data.map((one) => ({ ...one, index: -one.index })),
    usage,
  }),
  'a place far away': ({ data, usage }) => ({
    data: data.map((one, at) => ({ ...one, index: at === 0 ? 1e300 : at })),
    usage,
  }),
}

for (const [name, change] of Object.entries(faults)) {
  t.test(`[SVC-3] ${name} in one of several calls is an error that costs nothing`, async (t) => {
    const { status, quota } = await embedded(second(change))
    t.equal(status, 502)
    t.equal(quota, 0)
  })
}

t.test('[SVC-3] one call whose vectors another sent is an error, whatever their sum', async (t) => {
  const script: Script = (request, response) => {
    const input = inputOf(request)
    const count = { 0: perCall - 1, [perCall]: perCall + 1 }[Number(input[0])] ?? perCall
    const data = Array.from({ length: count }, (_, at) => vector('1', at))
    return json(200, { object: 'list', model, data })(request, response)
  }
  t.equal((await embedded(script)).status, 502)
})

for (const [name, change] of Object.entries({
  'the same place for each': 0,
  'places counted from elsewhere': 70,
})) {
  t.test(`[SVC-3] ${name} leaves the vectors in the order they came`, async (t) => {
    const { status, vectors } = await embedded(
      second(({ data, usage }) => ({
        data: data.map((one, at) => ({ ...one, index: change === 0 ? 0 : change + at })),
        usage,
      })),
    )
    t.equal(status, 200)
    t.strictSame(vectors, texts.map(Number))
  })
}

const counts: Readonly<Record<string, unknown>> = {
  'below zero': { prompt_tokens: -1_000_000, total_tokens: -1_000_000 },
  'in words': { prompt_tokens: '10', total_tokens: '10' },
  'of nothing': { constructor: 7 },
  absent: null,
}

for (const [name, usage] of Object.entries(counts)) {
  t.test(`[SVC-3] counts ${name} in one of several calls leave all to the estimate`, async (t) => {
    const answer = await embedded(second(({ data }) => ({ data, usage })))
    t.equal(answer.status, 200)
    t.notMatch(answer.usage, { prompt_tokens: Number }, 'a sum of some is none')
    t.equal(answer.quota, texts.length)
  })
}

t.test('[SVC-3] counts of pictures are added up as others are', async (t) => {
  const script: Script = (request, response) => {
    const data = inputOf(request).map(vector)
    const usage = {
      prompt_tokens: 10,
      total_tokens: 10,
      prompt_tokens_details: { image_tokens: 4 },
    }
    return json(200, { object: 'list', model, data, usage })(request, response)
  }
  t.strictSame((await embedded(script)).usage, {
    ...{ prompt_tokens: 30, total_tokens: 30, prompt_tokens_details: { image_tokens: 12 } },
  })
})

t.test('[SVC-3] counts without end have no sum', async (t) => {
  const huge = { prompt_tokens: 1.7e308, total_tokens: 1.7e308 }
  const script: Script = (request, response) =>
    json(200, { object: 'list', model, data: inputOf(request).map(vector), usage: huge })(
      request,
      response,
    )
  const answer = await embedded(script)
  t.strictSame(answer.usage, {})
  t.equal(answer.quota, texts.length)
})
