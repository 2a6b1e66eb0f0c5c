/** Code that calls this gateway, by format and language, in the words of each SDK's own documentation. */

export interface SampleOptions {
  /** Without a slash at its end. */
  readonly address: string
  readonly key: string
  readonly model: string
}

export type SampleFormat = 'chat' | 'messages' | 'generative'
export type SampleLanguage = 'curl' | 'python' | 'node'

type Written = (terms: SampleOptions) => string

export const samples: Readonly<Record<SampleFormat, Readonly<Record<SampleLanguage, Written>>>> = {
  chat: {
    curl: ({ address, key, model }) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
    python: ({ address, key, model }) => `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")

answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.choices[0].message.content)`,
    node: ({ address, key, model }) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })

const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello!' }],
})
console.log(answer.choices[0].message.content)`,
  },
  messages: {
    curl: ({ address, key, model }) => `curl ${address}/v1/messages \\
  -H "x-api-key: ${key}" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
    python: ({ address, key, model }) => `from anthropic import Anthropic

client = Anthropic(base_url="${address}", api_key="${key}")

answer = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.content[0].text)`,
    node: ({ address, key, model }) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${address}', apiKey: '${key}' })

const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello!' }],
})
console.log(answer.content[0].text)`,
  },
  generative: {
    curl: ({ address, key, model }) => `curl ${address}/v1beta/models/${model}:generateContent \\
  -H "x-goog-api-key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "contents": [{"parts": [{"text": "Hello!"}]}]
  }'`,
    python: ({ address, key, model }) => `from google import genai

client = genai.Client(
    api_key="${key}",
    http_options={"base_url": "${address}"},
)

answer = client.models.generate_content(
    model="${model}",
    contents="Hello!",
)
print(answer.text)`,
    node: ({ address, key, model }) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: '${key}',
  httpOptions: { baseUrl: '${address}' },
})

const answer = await client.models.generateContent({
  model: '${model}',
  contents: 'Hello!',
})
console.log(answer.text)`,
  },
}
