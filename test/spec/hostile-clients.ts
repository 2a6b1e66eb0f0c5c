/** Clients of the chat-like formats that take nothing for granted: every byte of a stream must belong to something. */
import {
  type FormatClient,
  generative as generativeClient,
  messages as messagesClient,
  responses as responsesClient,
} from '../plugins/endpoints/clients.js'

export interface Client {
  readonly name: string
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): Record<string, unknown>
  readonly headers: Readonly<Record<string, string>>
  /** Throws where anything is not as the format has it. `torn`: one event that is no JSON is passed over. */
  read(stream: string, torn?: 'torn'): Reading
  /** Text of a whole answer. */
  textOf(body: Event): string
}

interface Reading {
  readonly text: string
  /** The format's own end was reached. */
  readonly complete: boolean
  /** The error, which has to be the last there is. */
  readonly error: Readonly<Record<string, unknown>> | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: events differ by type; readers look into the fields they name.
type Event = any

/** Events by the letter of the standard. `rest` is what stands behind the last of them. */
function framesIn(
  stream: string,
  torn = false,
): { readonly events: Event[]; readonly rest: string } {
  const events: Event[] = []
  const frame: string[] = []
  const lines = stream.split(/\r\n|\n|\r/)
  const unfinished = lines.pop()!
  for (const line of lines) {
    if (line !== '') frame.push(line)
    else events.push(...eventsOf(frame.splice(0), torn))
  }
  return { events, rest: [...frame, unfinished].join('\n') }
}

function eventsOf(frame: readonly string[], torn: boolean): Event[] {
  const lines = frame.filter((line) => !/^(:|id:|retry:)/.test(line))
  const odd = lines.find((line) => !/^(data|event):/.test(line))
  if (odd !== undefined) throw new Error(`a line that belongs to nothing: ${odd.slice(0, 80)}`)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5))
  const text = data.join('\n').trim()
  if (text === '' || text === '[DONE]') return text === '' ? [] : [text]
  try {
    return [JSON.parse(text)]
  } catch (error) {
    if (torn) return []
    throw error
  }
}

function allEvents(stream: string, torn?: 'torn'): Event[] {
  const { events, rest } = framesIn(stream, torn === 'torn')
  if (rest !== '') throw new Error(`bytes behind the last event: ${rest.slice(0, 80)}`)
  return events
}

interface Words {
  text(event: Event): string | undefined
  isEnd(last: Event): boolean
}

/** What all formats share: an error is the last event. */
function readingOf(events: Event[], { text, isEnd }: Words): Reading {
  const last = events.at(-1)
  const error = last?.error ?? undefined
  if (events.slice(0, -1).some((event) => event.error)) throw new Error('more follows an error')
  return {
    text: events.map((event) => text(event) ?? '').join(''),
    complete: error === undefined && last !== undefined && isEnd(last),
    error,
  }
}

const chatWords: Words = {
  text: ({ choices }) => choices?.[0]?.delta?.content,
  isEnd: (last) => last === '[DONE]',
}

const chat: Client = {
  name: 'chat',
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({
    model,
    messages: [{ role: 'user', content: 'hello' }],
    ...(stream && { stream }),
  }),
  headers: {},
  read: (stream, torn) => readingOf(allEvents(stream, torn), chatWords),
  textOf: ({ choices }) => choices[0].message.content,
}

const messagesWords: Words = {
  text: ({ delta }) => delta?.text,
  isEnd: ({ type }) => type === 'message_stop',
}

const messages: Client = {
  ...basics(messagesClient),
  read: (stream, torn) => readingOf(allEvents(stream, torn), messagesWords),
  textOf: ({ content }) => content[0].text,
}

const responsesWords: Words = {
  text: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
  isEnd: ({ type }) => type === 'response.completed',
}

const responses: Client = {
  ...basics(responsesClient),
  read: (stream, torn) => readingOf(allEvents(stream, torn), responsesWords),
  textOf: ({ output }) => output[0].content[0].text,
}

const generativeWords: Words = {
  text: ({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.text,
  isEnd: ({ candidates }) => candidates?.[0]?.finishReason !== undefined,
}

/** An error in the middle of such a stream stands behind its events, without a frame of its own. */
const generative: Client = {
  ...basics(generativeClient),
  read(stream, torn) {
    const { events, rest } = framesIn(stream, torn === 'torn')
    return readingOf(rest === '' ? events : [...events, JSON.parse(rest)], generativeWords)
  },
  textOf: ({ candidates }) => candidates[0].content.parts[0].text,
}

const array: Client = {
  ...generative,
  name: 'generative array',
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`,
  read: (stream) => readingOf(JSON.parse(stream), generativeWords),
}

function basics({ name, path, body, headers }: FormatClient) {
  return { name, path, body, headers }
}

export const clients: readonly Client[] = [chat, messages, responses, generative, array]
