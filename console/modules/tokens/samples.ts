/** How clients are pointed at the gateway, each in the words of its own documentation. */
import { type SampleOptions, samples } from '../../ui/samples.js'

interface Sample {
  /** Name of the file or language it stands in. */
  readonly title: string
  readonly text: string
}

export interface Client {
  readonly id: string
  readonly title: string
  readonly samples: (terms: SampleOptions) => readonly Sample[]
}

export const clients: readonly Client[] = [
  { id: 'curl', title: 'curl', samples: curl },
  { id: 'openai', title: 'OpenAI SDK', samples: inBoth('chat') },
  { id: 'anthropic', title: 'Anthropic SDK', samples: inBoth('messages') },
  { id: 'google', title: 'Google Gen AI', samples: inBoth('generative') },
  { id: 'vercel', title: 'Vercel AI SDK', samples: vercel },
  { id: 'langchain', title: 'LangChain', samples: langchain },
  { id: 'claude-code', title: 'Claude Code', samples: claudeCode },
  { id: 'codex', title: 'Codex', samples: codex },
  { id: 'gemini-cli', title: 'Gemini CLI', samples: geminiCli },
]

function curl(terms: SampleOptions): readonly Sample[] {
  return [
    { title: 'POST /v1/chat/completions', text: samples.chat.curl(terms) },
    { title: 'POST /v1/messages', text: samples.messages.curl(terms) },
    {
      title: 'POST /v1beta/models/…:generateContent',
      text: samples.generative.curl(terms),
    },
  ]
}

function inBoth(format: keyof typeof samples): Client['samples'] {
  return (terms) => [
    { title: 'Python', text: samples[format].python(terms) },
    { title: 'Node.js', text: samples[format].node(terms) },
  ]
}

function vercel({ address, key, model }: SampleOptions): readonly Sample[] {
  return [
    {
      title: 'Node.js',
      text: `import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

const gateway = createOpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })
const { text } = await generateText({ model: gateway.chat('${model}'), prompt: 'Hello!' })
console.log(text)`,
    },
  ]
}

function langchain({ address, key, model }: SampleOptions): readonly Sample[] {
  return [
    {
      title: 'Python',
      text: `from langchain_openai import ChatOpenAI

chat = ChatOpenAI(base_url="${address}/v1", api_key="${key}", model="${model}")
print(chat.invoke("Hello!").content)`,
    },
    {
      title: 'Node.js',
      text: `import { ChatOpenAI } from '@langchain/openai'

const chat = new ChatOpenAI({
  model: '${model}',
  apiKey: '${key}',
  configuration: { baseURL: '${address}/v1' },
})
console.log((await chat.invoke('Hello!')).content)`,
    },
  ]
}

/** By the token it is meant for gateways; with an API key it shows a question whether to use it, and prefers a sign-in of its own. */
function claudeCode({ address, key, model }: SampleOptions): readonly Sample[] {
  return [
    {
      title: 'Shell',
      text: `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_AUTH_TOKEN="${key}"
claude --model "${model}"`,
    },
  ]
}

function codex({ address, key, model }: SampleOptions): readonly Sample[] {
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

function geminiCli({ address, key, model }: SampleOptions): readonly Sample[] {
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
