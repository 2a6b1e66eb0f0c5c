/** How clients are pointed at the gateway, each in the words of its own documentation. */

export interface SampleTerms {
  /** Without a slash at its end. */
  readonly address: string
  readonly key: string
  readonly model: string
}

export interface Sample {
  /** Name of the file or language it stands in. */
  readonly title: string
  readonly text: string
}

export interface Client {
  readonly id: string
  readonly title: string
  readonly samples: (terms: SampleTerms) => readonly Sample[]
}

export const clients: readonly Client[] = [
  { id: 'curl', title: 'curl', samples: curl },
  { id: 'openai', title: 'OpenAI SDK', samples: openai },
  { id: 'anthropic', title: 'Anthropic SDK', samples: anthropic },
  { id: 'google', title: 'Google Gen AI', samples: google },
  { id: 'vercel', title: 'Vercel AI SDK', samples: vercel },
  { id: 'langchain', title: 'LangChain', samples: langchain },
  { id: 'claude-code', title: 'Claude Code', samples: claudeCode },
  { id: 'codex', title: 'Codex', samples: codex },
  { id: 'gemini-cli', title: 'Gemini CLI', samples: geminiCli },
]

function curl({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'POST /v1/chat/completions',
      text: `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    },
    {
      title: 'POST /v1/messages',
      text: `curl ${address}/v1/messages \\
  -H "x-api-key: ${key}" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "max_tokens": 1024, "messages": [{"role": "user", "content": "Hello"}]}'`,
    },
    {
      title: 'POST /v1beta/models/…:generateContent',
      text: `curl "${address}/v1beta/models/${model}:generateContent" \\
  -H "x-goog-api-key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"contents": [{"parts": [{"text": "Hello"}]}]}'`,
    },
  ]
}

function openai({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'Python',
      text: `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      title: 'Node.js',
      text: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
    },
  ]
}

function anthropic({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'Python',
      text: `from anthropic import Anthropic

client = Anthropic(base_url="${address}", api_key="${key}")
answer = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.content[0].text)`,
    },
    {
      title: 'Node.js',
      text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${address}', apiKey: '${key}' })
const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content)`,
    },
  ]
}

function google({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'Python',
      text: `from google import genai

client = genai.Client(api_key="${key}", http_options={"base_url": "${address}"})
answer = client.models.generate_content(model="${model}", contents="Hello")
print(answer.text)`,
    },
    {
      title: 'Node.js',
      text: `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: '${key}', httpOptions: { baseUrl: '${address}' } })
const answer = await client.models.generateContent({ model: '${model}', contents: 'Hello' })
console.log(answer.text)`,
    },
  ]
}

function vercel({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'Node.js',
      text: `import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

const gateway = createOpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })
const { text } = await generateText({ model: gateway.chat('${model}'), prompt: 'Hello' })
console.log(text)`,
    },
  ]
}

function langchain({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'Python',
      text: `from langchain_openai import ChatOpenAI

chat = ChatOpenAI(base_url="${address}/v1", api_key="${key}", model="${model}")
print(chat.invoke("Hello").content)`,
    },
    {
      title: 'Node.js',
      text: `import { ChatOpenAI } from '@langchain/openai'

const chat = new ChatOpenAI({
  model: '${model}',
  apiKey: '${key}',
  configuration: { baseURL: '${address}/v1' },
})
console.log((await chat.invoke('Hello')).content)`,
    },
  ]
}

function claudeCode({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: 'Shell',
      text: `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_API_KEY="${key}"
claude --model "${model}"`,
    },
  ]
}

function codex({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: '~/.codex/config.toml',
      text: `model = "${model}"
model_provider = "gateway"

[model_providers.gateway]
name = "Gateway"
base_url = "${address}/v1"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"`,
    },
    { title: 'Shell', text: `export GATEWAY_API_KEY="${key}"\ncodex` },
  ]
}

function geminiCli({ address, key, model }: SampleTerms): readonly Sample[] {
  return [
    {
      title: '~/.gemini/settings.json',
      text: '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
    },
    {
      title: 'Shell',
      text: `export GOOGLE_GEMINI_BASE_URL="${address}"
export GEMINI_API_KEY="${key}"
gemini --model "${model}"`,
    },
  ]
}
