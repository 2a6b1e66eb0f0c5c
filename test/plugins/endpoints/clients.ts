/**
 * Clients of the formats beside chat, as their libraries call, and one upstream that answers in the format of the path
 * it is called at. Every answer states "Hello there." for 10 tokens in and 3 out.
 */
import { type ScriptedGateway, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json, type Script } from '../../kit/upstream.js'

/** Served by an upstream of the chat format. */
export const chatModel = 'gpt-4o-mini'
/** Served by an upstream of the messages format. */
export const messagesModel = 'claude-sonnet-4-5'
export const words = 'Hello there.'
/** 10 in at 1, 3 out at 4. */
export const cost = 22

export interface FormatClient {
  readonly name: 'messages' | 'responses' | 'generative'
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): Record<string, unknown>
  /** Beside key and content type. */
  readonly headers: Readonly<Record<string, string>>
  /** Where in an answer the text and the counts stand. */
  // biome-ignore lint/suspicious/noExplicitAny: each format has its own shape, which the test is about.
  whole(body: any): Reading
  stream(text: string): Reading
}

export interface Reading {
  readonly text: string
  readonly input: number
  readonly output: number
  /** What tells a client that all of it is there. */
  readonly last: unknown
}

export const messages: FormatClient = {
  name: 'messages',
  path: () => '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  body: (model, stream) => ({
    model,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hello' }],
    ...(stream && { stream }),
  }),
  whole: ({ content, usage, stop_reason }) => ({
    text: content[0].text,
    input: usage.input_tokens,
    output: usage.output_tokens,
    last: stop_reason,
  }),
  stream(text) {
    const all = eventsIn(text)
    const delta = all.findLast(({ type }) => type === 'message_delta')
    const { message } = all.find(({ type }) => type === 'message_start')
    return {
      text: joined(all.map((event) => event.delta?.text)),
      input: delta.usage.input_tokens ?? message.usage.input_tokens,
      output: delta.usage.output_tokens,
      last: all.at(-1).type === 'message_stop' && delta.delta.stop_reason,
    }
  },
}

export const responses: FormatClient = {
  name: 'responses',
  path: () => '/v1/responses',
  headers: {},
  body: (model, stream) => ({ model, input: 'hello', ...(stream && { stream }) }),
  whole: ({ output, usage, status }) => ({
    text: output[0].content[0].text,
    input: usage.input_tokens,
    output: usage.output_tokens,
    last: status,
  }),
  stream(text) {
    const all = eventsIn(text)
    const { type, response } = all.at(-1)
    return {
      text: joined(all.map((event) => type && textDelta(event))),
      input: response.usage.input_tokens,
      output: response.usage.output_tokens,
      last: type === 'response.completed' && response.status,
    }
  },
}

export const generative: FormatClient = {
  name: 'generative',
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers: {},
  body: () => ({ contents: [{ parts: [{ text: 'hello' }] }] }),
  whole: (body) => readChunks([body]),
  stream: (text) => readChunks(eventsIn(text)),
}

export const formatClients = [messages, responses, generative] as const

/** What a client that reads no server-sent events gets: one JSON array. */
export function readArray(text: string): Reading {
  return readChunks(JSON.parse(text))
}

/** What ends an answer well, in each format. */
export const lastWord = {
  messages: 'end_turn',
  responses: 'completed',
  generative: 'STOP',
} as const

/** A gateway with one channel of each upstream format, both to the same scripted upstream. */
export async function formatGateway(
  t: Parameters<typeof scriptedGateway>[0],
  options: Parameters<typeof scriptedGateway>[1] = {},
): Promise<ScriptedGateway> {
  // The provider of this type has the one adapter, so everything is converted to chat.
  const gateway = await scriptedGateway(t, { ...options, channel: { type: 53, models: chatModel } })
  await gateway.admin.channel({
    type: 14,
    name: 'messages',
    key: 'messages-key',
    base_url: gateway.upstream.url,
    models: messagesModel,
    group: 'default',
  })
  gateway.upstream.script(speak)
  return gateway
}

export function post(
  gateway: ScriptedGateway,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Answers as the service at the path would. */
export const speak: Script = (request, response) => {
  const stream = request.json?.stream === true
  if (request.path === '/v1/messages') {
    const answer = stream ? events(...messagesFrames({ output: 3 })) : json(200, messagesWhole())
    return answer(request, response)
  }
  const answer = stream
    ? events(
        chat.role(),
        chat.delta('Hello '),
        chat.delta('there.'),
        chat.stop(),
        chat.usage(10, 3),
        chat.done,
      )
    : json(200, chat.whole(words, 10, 3))
  return answer(request, response)
}

/** `output` absent: the upstream never tells it. */
export function messagesFrames({ output }: { output?: number }): string[] {
  const frame = (type: string, fields: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
  const delta = (text: string) =>
    frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
  return [
    frame('message_start', {
      message: { ...messagesWhole(), content: [], stop_reason: null, usage: { input_tokens: 10 } },
    }),
    frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    delta('Hello '),
    delta('there.'),
    frame('content_block_stop', { index: 0 }),
    frame('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: output === undefined ? {} : { output_tokens: output },
    }),
    frame('message_stop'),
  ]
}

export function messagesWhole(usage: object = {}) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: messagesModel,
    content: [{ type: 'text', text: words }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 3, ...usage },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: events differ by type; readers look into the fields they name.
function eventsIn(text: string): any[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

function textDelta({ type, delta }: { type: string; delta?: string }): string | undefined {
  return type === 'response.output_text.delta' ? delta : undefined
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function readChunks(chunks: any[]): Reading {
  const counts = chunks.findLast(({ usageMetadata }) => usageMetadata !== undefined).usageMetadata
  return {
    text: joined(chunks.map(({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.text)),
    input: counts.promptTokenCount,
    output: counts.candidatesTokenCount,
    last: chunks.findLast(({ candidates }) => candidates?.[0]?.finishReason).candidates[0]
      .finishReason,
  }
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text ?? '').join('')
}
