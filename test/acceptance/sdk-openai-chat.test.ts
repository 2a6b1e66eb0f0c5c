/** The official `openai` SDK and its chat completions at an upstream of every format. */
import OpenAI from 'openai'
import t from 'tap'
import type { Answer, Client, Question } from './kit/client.js'
import { ownLoop, question, refusedByName, weather } from './kit/extras.js'
import { type At, matrix } from './kit/matrix.js'

type Message = OpenAI.ChatCompletionMessageParam
type Call = OpenAI.ChatCompletionMessageFunctionToolCall
type SdkQuestion = Question<Message[]>

/** Fields compatible services add to the SDK's own; it hands them through. */
interface AssistantMessage {
  role: 'assistant'
  content: string | null
  reasoning_content?: string
  extra_content?: unknown
  tool_calls?: Call[]
}

function openaiChat({ url, key }: At): Client<Message[]> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  return {
    name: 'openai chat.completions',
    wire: 'chat',
    abilities: {
      reasoning: true,
      seals: 'all',
      callSeals: true,
      counts: ['cacheRead', 'cacheWrite', 'reasoning'],
      errorWords: true,
      streamErrors: 'reported',
    },
    async ask(question) {
      const { stream, ...body } = request(question)
      if (!stream) {
        const { choices, usage } = await client.chat.completions.create({ ...body, stream })
        return answer(question, choices[0]!.message as AssistantMessage, usage, 1)
      }
      const chunks = await client.chat.completions.create({ ...body, stream })
      return gathered(question, chunks)
    },
    async leave(question) {
      const { stream: _, ...body } = request(question)
      const chunks = await client.chat.completions.create({ ...body, stream: true })
      for await (const { choices } of chunks) if (choices[0]?.delta.content) break
      chunks.controller.abort()
    },
    statusOf(error) {
      const classes = [
        OpenAI.BadRequestError,
        OpenAI.RateLimitError,
        OpenAI.InternalServerError,
      ] as const
      const known = classes.find((one) => error instanceof one)
      return known && (error as InstanceType<typeof known>)
    },
  }
}

function request(question: SdkQuestion) {
  const { model, stream, tools, schema, thinks } = question
  return {
    model,
    stream,
    messages: conversation(question),
    ...(stream && { stream_options: { include_usage: true } }),
    ...(thinks && { reasoning_effort: 'medium' as const }),
    ...(tools && {
      tools: tools.map(({ schema: parameters, ...tool }) => {
        return { type: 'function' as const, function: { ...tool, parameters: { ...parameters } } }
      }),
    }),
    ...(schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'city', schema: { ...schema }, strict: true },
      },
    }),
  }
}

function conversation({ after, results, system, prompt, image }: SdkQuestion): Message[] {
  const messages: Message[] = [...(after?.history ?? [])]
  if (system !== undefined) messages.push({ role: 'system', content: system })
  for (const { call, output } of results ?? []) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: output })
  }
  if (image !== undefined) {
    const url = `data:${image.mime};base64,${image.base64}`
    const text = { type: 'text' as const, text: prompt ?? '' }
    messages.push({ role: 'user', content: [text, { type: 'image_url', image_url: { url } }] })
  } else if (prompt !== undefined) messages.push({ role: 'user', content: prompt })
  return messages
}

async function gathered(question: SdkQuestion, chunks: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const content: AssistantMessage = { role: 'assistant', content: null }
  let usage: OpenAI.CompletionUsage | undefined
  let pieces = 0
  for await (const chunk of chunks) {
    usage = chunk.usage ?? usage
    const delta = (chunk.choices[0]?.delta ?? {}) as Partial<AssistantMessage>
    if (delta.content) pieces += 1
    if (delta.content) content.content = (content.content ?? '') + delta.content
    if (delta.reasoning_content) {
      content.reasoning_content = (content.reasoning_content ?? '') + delta.reasoning_content
    }
    if (delta.extra_content) content.extra_content = delta.extra_content
    for (const call of (delta.tool_calls ?? []) as (Call & { index: number })[])
      addCall(content, call)
  }
  return answer(question, content, usage, pieces)
}

function addCall(content: AssistantMessage, { index, ...delta }: Call & { index: number }) {
  content.tool_calls ??= []
  const call = content.tool_calls[index]
  if (call === undefined) content.tool_calls[index] = delta
  else {
    const input = call.function.arguments + (delta.function?.arguments ?? '')
    content.tool_calls[index] = {
      ...call,
      ...delta,
      function: { ...call.function, arguments: input },
    }
  }
}

function answer(
  question: SdkQuestion,
  content: AssistantMessage,
  usage: OpenAI.CompletionUsage | undefined,
  pieces: number,
): Answer<Message[]> {
  const { prompt_tokens_details: read, completion_tokens_details: made } = usage ?? {}
  return {
    text: content.content ?? '',
    pieces,
    reasoning: content.reasoning_content ?? '',
    calls: (content.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => {
      return { id, name, input: JSON.parse(input) }
    }),
    counts: {
      prompt: usage?.prompt_tokens ?? 0,
      completion: usage?.completion_tokens ?? 0,
      cacheRead: read?.cached_tokens ?? 0,
      cacheWrite: read?.cache_write_tokens ?? 0,
      reasoning: made?.reasoning_tokens ?? 0,
    },
    history: [...conversation(question), content],
  }
}

const gateway = await matrix(t, (at) => [openaiChat(at)])
const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

ownLoop(t, gateway, { name: 'openai runTools', wire: 'chat' }, (model, tell) => {
  const { name, description, schema } = weather
  const runner = client.chat.completions.runTools({
    model,
    stream: true,
    messages: [{ role: 'user', content: question }],
    tools: [
      {
        type: 'function',
        function: { name, description, parameters: schema, parse: JSON.parse, function: tell },
      },
    ],
  })
  return runner.finalContent()
})

const sendRequest = (model: string, more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>) =>
  client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }], ...more })

refusedByName(t, gateway, 'openai chat.completions', [
  {
    wires: ['messages', 'responses'],
    field: 'sampling.choices',
    ask: (model) => sendRequest(model, { n: 2 }),
  },
  {
    wires: ['messages', 'generative', 'responses'],
    field: 'sampling.logitBias',
    ask: (model) => sendRequest(model, { logit_bias: { 50256: -100 } }),
  },
  {
    wires: ['responses'],
    field: 'sampling.stop',
    ask: (model) => sendRequest(model, { stop: 'END' }),
  },
])
