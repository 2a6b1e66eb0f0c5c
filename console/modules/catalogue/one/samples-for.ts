/** Code that calls a model, by the type of endpoint it has: chat formats as everywhere, others here. */
import { type SampleLanguage, type SampleOptions, samples } from '../../../ui/samples.js'

export const languages = ['curl', 'python', 'node'] as const

type Samples = Readonly<Record<SampleLanguage, (terms: SampleOptions) => string>>

const post = (
  { address, key }: SampleOptions,
  path: string,
  body: string,
) => `curl ${address}${path} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`

const python = ({ address, key }: SampleOptions, call: string) => `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")

${call}`

const node = ({ address, key }: SampleOptions, call: string) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })

${call}`

const embeddings: Samples = {
  curl: (terms) => post(terms, '/v1/embeddings', `{"model": "${terms.model}", "input": "Hello!"}`),
  python: (terms) =>
    python(
      terms,
      `answer = client.embeddings.create(model="${terms.model}", input="Hello!")
print(len(answer.data[0].embedding))`,
    ),
  node: (terms) =>
    node(
      terms,
      `const answer = await client.embeddings.create({ model: '${terms.model}', input: 'Hello!' })
console.log(answer.data[0].embedding.length)`,
    ),
}

const images: Samples = {
  curl: (terms) =>
    post(terms, '/v1/images/generations', `{"model": "${terms.model}", "prompt": "A lighthouse"}`),
  python: (terms) =>
    python(
      terms,
      `answer = client.images.generate(model="${terms.model}", prompt="A lighthouse")
print(answer.data[0].url or len(answer.data[0].b64_json))`,
    ),
  node: (terms) =>
    node(
      terms,
      `const answer = await client.images.generate({ model: '${terms.model}', prompt: 'A lighthouse' })
console.log(answer.data[0].url ?? answer.data[0].b64_json.length)`,
    ),
}

const responses: Samples = {
  curl: (terms) => post(terms, '/v1/responses', `{"model": "${terms.model}", "input": "Hello!"}`),
  python: (terms) =>
    python(
      terms,
      `answer = client.responses.create(model="${terms.model}", input="Hello!")
print(answer.output_text)`,
    ),
  node: (terms) =>
    node(
      terms,
      `const answer = await client.responses.create({ model: '${terms.model}', input: 'Hello!' })
console.log(answer.output_text)`,
    ),
}

const question = (model: string) =>
  `{"model": "${model}", "query": "capital", "documents": ["Paris", "An apple"]}`

const rerank: Samples = {
  curl: (terms) => post(terms, '/v1/rerank', question(terms.model)),
  python: ({ address, key, model }) => `import requests

answer = requests.post(
    "${address}/v1/rerank",
    headers={"Authorization": "Bearer ${key}"},
    json=${question(model)},
)
print(answer.json()["results"])`,
  node: ({ address, key, model }) => `const answer = await fetch('${address}/v1/rerank', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify(${question(model)}),
})
console.log((await answer.json()).results)`,
}

const byType: Readonly<Record<string, Samples>> = {
  openai: samples.chat,
  'openai-response': responses,
  anthropic: samples.messages,
  gemini: samples.generative,
  embeddings,
  'image-generation': images,
  'jina-rerank': rerank,
}

export function sampleFor(type: string): Samples | undefined {
  return Object.hasOwn(byType, type) ? byType[type] : undefined
}
