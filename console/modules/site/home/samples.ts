/** Code that calls this gateway, as people copy it. */
import type { PricedModel } from '../../../api/pricing.js'

export const formats = ['chat', 'messages', 'generative'] as const
export type SampleFormat = (typeof formats)[number]

export const languages = ['curl', 'python', 'node'] as const
export type SampleLanguage = (typeof languages)[number]

export interface Sample {
  readonly format: SampleFormat
  readonly language: SampleLanguage
  /** Without a slash at its end. */
  readonly address: string
  readonly model: string
}

/** How the list of models calls each format, and what stands in a sample where it names none. */
const known: Readonly<Record<SampleFormat, { readonly type: string; readonly model: string }>> = {
  chat: { type: 'openai', model: 'gpt-4o-mini' },
  messages: { type: 'anthropic', model: 'claude-sonnet-4-5' },
  generative: { type: 'gemini', model: 'gemini-2.5-flash' },
}

/** One that is served, the usual one before others. */
export function modelFor(format: SampleFormat, models: readonly PricedModel[]): string {
  const { type, model } = known[format]
  const names = models
    .filter((one) => one.supported_endpoint_types.includes(type))
    .map((one) => one.model_name)
  return names.includes(model) ? model : (names[0] ?? model)
}

export function sampleOf({ format, language, address, model }: Sample): string {
  return samples[format][language](address, model)
}

type Written = (address: string, model: string) => string

const samples: Readonly<Record<SampleFormat, Readonly<Record<SampleLanguage, Written>>>> = {
  chat: {
    curl: (address, model) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
    python: (address, model) => `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="sk-...")

answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.choices[0].message.content)`,
    node: (address, model) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: 'sk-...' })

const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello!' }],
})
console.log(answer.choices[0].message.content)`,
  },
  messages: {
    curl: (address, model) => `curl ${address}/v1/messages \\
  -H "x-api-key: $API_KEY" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
    python: (address, model) => `from anthropic import Anthropic

client = Anthropic(base_url="${address}", api_key="sk-...")

answer = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.content[0].text)`,
    node: (address, model) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${address}', apiKey: 'sk-...' })

const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello!' }],
})
console.log(answer.content[0].text)`,
  },
  generative: {
    curl: (address, model) => `curl ${address}/v1beta/models/${model}:generateContent \\
  -H "x-goog-api-key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "contents": [{"parts": [{"text": "Hello!"}]}]
  }'`,
    python: (address, model) => `from google import genai

client = genai.Client(
    api_key="sk-...",
    http_options={"base_url": "${address}"},
)

answer = client.models.generate_content(
    model="${model}",
    contents="Hello!",
)
print(answer.text)`,
    node: (address, model) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: 'sk-...',
  httpOptions: { baseUrl: '${address}' },
})

const answer = await client.models.generateContent({
  model: '${model}',
  contents: 'Hello!',
})
console.log(answer.text)`,
  },
}
