/** The official SDKs, each reduced to one question, the list of models, and what it makes of a refusal. */
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

export const model = 'gpt-4o-mini'
const prompt = 'Hello?'
const messages = [{ role: 'user' as const, content: prompt }]

interface Refusal {
  readonly status: number
  /** Name of its class, or of the status in the body where the SDK has one class for all. */
  readonly kind: string
  readonly words: string
  /** Absent: the SDK does not hand on headers. */
  readonly headers?: Headers
}

interface Caller {
  ask(): Promise<string>
  stream(): Promise<string>
  models(): Promise<readonly string[]>
  refusal(error: unknown): Refusal
}

interface Entry {
  readonly caller: (url: string, apiKey: string) => Caller
  /** What the SDK calls a status of 429 and of 403. */
  readonly kinds: { readonly limited: string; readonly denied: string }
}

const classes = { limited: 'RateLimitError', denied: 'PermissionDeniedError' }

export const callers: Readonly<Record<string, Entry>> = {
  openai: { caller: openaiCaller, kinds: classes },
  '@anthropic-ai/sdk': { caller: anthropicCaller, kinds: classes },
  '@google/genai': {
    caller: genaiCaller,
    kinds: { limited: 'RESOURCE_EXHAUSTED', denied: 'PERMISSION_DENIED' },
  },
}

function openaiCaller(url: string, apiKey: string): Caller {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  return {
    async ask() {
      const { choices } = await client.chat.completions.create({ model, messages })
      return choices[0]?.message.content ?? ''
    },
    async stream() {
      let text = ''
      const stream = await client.chat.completions.create({ model, messages, stream: true })
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
      return text
    },
    models: async () => (await client.models.list()).data.map(({ id }) => id),
    refusal: (error) => classified(error, OpenAI.APIError),
  }
}

function anthropicCaller(url: string, apiKey: string): Caller {
  const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
  const request = { model, max_tokens: 100, messages }
  return {
    async ask() {
      const { content } = await client.messages.create(request)
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    stream: () => client.messages.stream(request).finalText(),
    models: async () => (await client.models.list()).data.map(({ id }) => id),
    refusal: (error) => classified(error, Anthropic.APIError),
  }
}

function genaiCaller(url: string, apiKey: string): Caller {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  const request = { model, contents: prompt }
  return {
    ask: async () => (await client.models.generateContent(request)).text ?? '',
    async stream() {
      let text = ''
      for await (const chunk of await client.models.generateContentStream(request)) {
        text += chunk.text ?? ''
      }
      return text
    },
    async models() {
      const names: string[] = []
      for await (const { name = '' } of await client.models.list()) names.push(name)
      return names.map((name) => name.replace(/^models\//, ''))
    },
    refusal(error) {
      if (!(error instanceof ApiError)) throw error
      const result = JSON.parse(error.message).error
      return { status: error.status, kind: result.status, words: result.message }
    },
  }
}

type ErrorClass = abstract new (
  ...args: never[]
) => Error & {
  readonly status: number | undefined
  readonly headers: Headers | undefined
}

function classified(error: unknown, base: ErrorClass): Refusal {
  if (!(error instanceof base)) throw error
  const { status = 0, message, headers, constructor: made } = error
  return { status, kind: made.name, words: message, headers }
}
