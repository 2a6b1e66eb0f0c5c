/** Upstreams of the four chat-like formats, frame by frame, so that a test can leave out, repeat or cut what it likes. */
import type { Recorded } from '../kit/upstream.js'

export interface Dialect {
  readonly name: 'chat' | 'messages' | 'generative' | 'responses'
  readonly model: string
  /** Fields of a channel that leads to such an upstream. */
  readonly channel: Readonly<Record<string, unknown>>
  streams(request: Recorded): boolean
  /** The usage object as this format has it. Values may be anything. */
  usage(input: unknown, output: unknown): object
  /** What an answer of text is, in one piece. */
  whole(text: string, usage?: object): object
  /** Frames before any content. */
  opening(): readonly string[]
  text(piece: string): string
  /** Frames behind the content; the last one is the terminator. */
  closing(text: string, usage?: object): readonly string[]
  /** An error in a stream. */
  error(message: string): string
  /** An error in place of a whole answer, for which another channel may be tried. */
  failed(message: string): object
  /** Something that means nothing. */
  ping(): string
}

const chunk = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm',
}
const data = (json: object) => `data: ${JSON.stringify(json)}\n\n`
const named = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const inBody = ({ json }: Recorded) => json?.stream === true

const chat: Dialect = {
  name: 'chat',
  model: 'gpt-4o-mini',
  channel: { type: 1, settings: { responses_api: 'convert' } },
  streams: inBody,
  usage: (prompt_tokens, completion_tokens) => ({ prompt_tokens, completion_tokens }),
  whole: (content, usage) => ({
    ...chunk,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage && { usage }),
  }),
  opening: () => [
    data({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  ],
  text: (content) => data({ ...chunk, choices: [{ index: 0, delta: { content } }] }),
  closing: (_, usage) => [
    data({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    ...(usage ? [data({ ...chunk, choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ],
  error: (message) => data({ error: { message, type: 'server_error' } }),
  failed: (message) => ({ error: { message, type: 'server_error' } }),
  ping: () => ': keep-alive\n\n',
}

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }

const messages: Dialect = {
  name: 'messages',
  model: 'claude-sonnet-4-5',
  channel: { type: 14 },
  streams: inBody,
  usage: (input_tokens, output_tokens) => ({ input_tokens, output_tokens }),
  whole: (text, usage) => ({
    ...message,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    ...(usage && { usage }),
  }),
  opening: () => [
    named('message_start', { message: { ...message, content: [], stop_reason: null } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  text: (text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  closing: (_, usage) => [
    named('content_block_stop', { index: 0 }),
    named('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      ...(usage && { usage }),
    }),
    named('message_stop', {}),
  ],
  error: (message) => named('error', { error: { type: 'api_error', message } }),
  failed: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
  ping: () => named('ping', {}),
}

const candidate = (text: string, finishReason?: string) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text }] },
      ...(finishReason && { finishReason }),
    },
  ],
  modelVersion: 'm',
})

const generative: Dialect = {
  name: 'generative',
  model: 'gemini-2.5-flash',
  channel: { type: 24 },
  streams: ({ path }) => path.includes(':streamGenerateContent'),
  usage: (promptTokenCount, candidatesTokenCount) => ({ promptTokenCount, candidatesTokenCount }),
  whole: (text, usageMetadata) => ({
    ...candidate(text, 'STOP'),
    ...(usageMetadata && { usageMetadata }),
  }),
  opening: () => [],
  text: (text) => data(candidate(text)),
  closing: (_, usageMetadata) => [
    data({ ...candidate('', 'STOP'), ...(usageMetadata && { usageMetadata }) }),
  ],
  error: (message) => data({ error: { code: 500, message, status: 'INTERNAL' } }),
  failed: (message) => ({ error: { code: 500, message, status: 'INTERNAL' } }),
  ping: () => ': keep-alive\n\n',
}

const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm' }
const item = (text?: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: text === undefined ? 'in_progress' : 'completed',
  content: text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }],
})
const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }

const responses: Dialect = {
  name: 'responses',
  model: 'gpt-5-pro',
  channel: { type: 1, settings: { responses_api: 'always' } },
  streams: inBody,
  usage: (input_tokens, output_tokens) => ({ input_tokens, output_tokens }),
  whole: (text, usage) => ({
    ...response,
    status: 'completed',
    output: [item(text)],
    ...(usage && { usage }),
  }),
  opening: () => [
    named('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
    named('response.output_item.added', { output_index: 0, item: item() }),
    named('response.content_part.added', { ...at, part: { type: 'output_text', text: '' } }),
  ],
  text: (delta) => named('response.output_text.delta', { ...at, delta }),
  closing: (text, usage) => [
    named('response.output_text.done', { ...at, text }),
    named('response.output_item.done', { output_index: 0, item: item(text) }),
    named('response.completed', {
      response: { ...response, status: 'completed', output: [item(text)], ...(usage && { usage }) },
    }),
  ],
  error: (message) => named('error', { code: 'server_error', message, param: null }),
  failed: (message) => ({
    ...response,
    status: 'failed',
    error: { code: 'server_error', message },
  }),
  ping: () => ': keep-alive\n\n',
}

export const dialects: readonly Dialect[] = [chat, messages, generative, responses]

/** Which of them a request was made in. */
export function dialectOf({ path }: Recorded): Dialect {
  if (path === '/v1/messages') return messages
  if (path.startsWith('/v1beta/')) return generative
  return path === '/v1/responses' ? responses : chat
}
