/** The official `@anthropic-ai/sdk` and its messages at an upstream of every format. */
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import t from 'tap'
import type { Answer, Client, Question } from './kit/client.js'
import { ownLoop, question, refusedByName, weather } from './kit/extras.js'
import { type At, matrix } from './kit/matrix.js'

type Message = Anthropic.MessageParam

function anthropic({ url, key }: At): Client<Message[]> {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  return {
    name: '@anthropic-ai/sdk messages',
    wire: 'messages',
    abilities: {
      reasoning: true,
      seals: 'all',
      callSeals: false,
      counts: ['cacheRead', 'cacheWrite', 'reasoning'],
      errorWords: true,
      streamErrors: 'reported',
    },
    async ask(question) {
      const body = request(question)
      if (!question.stream) return answer(question, await client.messages.create(body), 1)
      const stream = client.messages.stream(body)
      let pieces = 0
      stream.on('text', () => {
        pieces += 1
      })
      return answer(question, await stream.finalMessage(), pieces)
    },
    async leave(question) {
      const stream = await client.messages.create({ ...request(question), stream: true })
      for await (const event of stream) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') break
      }
      stream.controller.abort()
    },
    statusOf(error) {
      const classes = [
        Anthropic.BadRequestError,
        Anthropic.RateLimitError,
        Anthropic.InternalServerError,
      ] as const
      const known = classes.find((one) => error instanceof one)
      return known && (error as InstanceType<typeof known>)
    },
  }
}

function request(question: Question<Message[]>) {
  const { model, system, tools, schema, thinks } = question
  return {
    model,
    max_tokens: 4096,
    messages: conversation(question),
    ...(system !== undefined && { system }),
    ...(thinks && { thinking: { type: 'enabled' as const, budget_tokens: 2048 } }),
    ...(tools && {
      tools: tools.map(({ schema: input, ...tool }) => {
        return { ...tool, input_schema: { ...input, type: 'object' as const } }
      }),
    }),
    ...(schema && {
      output_config: { format: { type: 'json_schema' as const, schema: { ...schema } } },
    }),
  }
}

function conversation({ after, results, prompt, image }: Question<Message[]>): Message[] {
  const messages: Message[] = [...(after?.history ?? [])]
  if (results !== undefined) {
    const content = results.map(({ call, output }) => {
      return { type: 'tool_result' as const, tool_use_id: call.id, content: output }
    })
    messages.push({ role: 'user', content })
  }
  if (prompt === undefined) return messages
  if (image === undefined) return [...messages, { role: 'user', content: prompt }]
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: image.base64 }
  const text = { type: 'text' as const, text: prompt }
  return [...messages, { role: 'user', content: [text, { type: 'image', source }] }]
}

function answer(
  question: Question<Message[]>,
  { content, usage }: Anthropic.Message,
  pieces: number,
): Answer<Message[]> {
  const cacheRead = usage.cache_read_input_tokens ?? 0
  const cacheWrite = usage.cache_creation_input_tokens ?? 0
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    pieces,
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    counts: {
      prompt: usage.input_tokens + cacheRead + cacheWrite,
      completion: usage.output_tokens,
      cacheRead,
      cacheWrite,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
    history: [...conversation(question), { role: 'assistant', content }],
  }
}

const gateway = await matrix(t, (at) => [anthropic(at)])
const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })

ownLoop(
  t,
  gateway,
  { name: '@anthropic-ai/sdk toolRunner', wire: 'messages' },
  async (model, tell) => {
    const { name, description, schema: inputSchema } = weather
    const runner = client.beta.messages.toolRunner({
      model,
      max_tokens: 1024,
      messages: [{ role: 'user', content: question }],
      tools: [betaTool({ name, description, inputSchema, run: tell })],
    })
    const { content } = await runner
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  },
)

refusedByName(t, gateway, '@anthropic-ai/sdk messages', [
  {
    wires: ['responses'],
    field: 'sampling.stop',
    ask: (model) =>
      client.messages.create({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello' }],
        stop_sequences: ['END'],
      }),
  },
  {
    wires: ['chat', 'generative', 'responses'],
    field: 'tools.web_search',
    ask: (model) =>
      client.messages.create({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello' }],
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'any' },
      }),
  },
])
