/** The official `openai` SDK and its responses, stored nowhere, at an upstream of every format. */
import OpenAI from 'openai'
import t from 'tap'
import type { Answer, Client, Question } from './kit/client.js'
import { refusedByName } from './kit/extras.js'
import { type At, matrix } from './kit/matrix.js'

type Item = OpenAI.Responses.ResponseInputItem
type Response = OpenAI.Responses.Response

function openaiResponses({ url, key }: At): Client<Item[]> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  return {
    name: 'openai responses',
    wire: 'responses',
    abilities: {
      reasoning: true,
      seals: 'all',
      callSeals: true,
      counts: ['cacheRead', 'cacheWrite', 'reasoning'],
      errorWords: true,
      streamErrors: 'reported',
    },
    async ask(question) {
      const body = request(question)
      if (!question.stream) return answer(question, await client.responses.create(body), 1)
      const stream = client.responses.stream(body)
      let pieces = 0
      let text = ''
      for await (const event of stream) {
        if (event.type !== 'response.output_text.delta') continue
        pieces += 1
        text += event.delta
      }
      const response = await stream.finalResponse()
      t.equal(text, response.output_text, 'the pieces are the text')
      return answer(question, response, pieces)
    },
    async leave(question) {
      const stream = await client.responses.create({ ...request(question), stream: true })
      for await (const { type } of stream) if (type === 'response.output_text.delta') break
      stream.controller.abort()
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

function request(question: Question<Item[]>) {
  const { model, system, tools, schema, thinks } = question
  return {
    model,
    store: false,
    input: conversation(question),
    ...(system !== undefined && { instructions: system }),
    ...(thinks && {
      reasoning: { effort: 'medium' as const, summary: 'auto' as const },
      include: ['reasoning.encrypted_content' as const],
    }),
    ...(tools && {
      tools: tools.map(({ schema: parameters, ...tool }) => {
        return { type: 'function' as const, strict: false, ...tool, parameters: { ...parameters } }
      }),
    }),
    ...(schema && {
      text: { format: { type: 'json_schema' as const, name: 'city', schema: { ...schema } } },
    }),
  }
}

function conversation({ after, results, prompt, image }: Question<Item[]>): Item[] {
  const items: Item[] = [...(after?.history ?? [])]
  for (const { call, output } of results ?? []) {
    items.push({ type: 'function_call_output', call_id: call.id, output })
  }
  if (prompt === undefined) return items
  if (image === undefined) return [...items, { role: 'user', content: prompt }]
  const url = `data:${image.mime};base64,${image.base64}`
  const picture = { type: 'input_image' as const, detail: 'auto' as const, image_url: url }
  return [...items, { role: 'user', content: [{ type: 'input_text', text: prompt }, picture] }]
}

function answer(question: Question<Item[]>, response: Response, pieces: number): Answer<Item[]> {
  const { output, usage } = response
  const summaries = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
  return {
    text: response.output_text,
    pieces,
    reasoning: summaries.map(({ text }) => text).join('\n\n'),
    calls: output.flatMap((item) => {
      if (item.type !== 'function_call') return []
      return [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }]
    }),
    counts: {
      prompt: usage?.input_tokens ?? 0,
      completion: usage?.output_tokens ?? 0,
      cacheRead: usage?.input_tokens_details?.cached_tokens ?? 0,
      cacheWrite: usage?.input_tokens_details?.cache_write_tokens ?? 0,
      reasoning: usage?.output_tokens_details?.reasoning_tokens ?? 0,
    },
    history: [...conversation(question), ...(output as Item[])],
  }
}

const gateway = await matrix(t, (at) => [openaiResponses(at)])
// Its streams bring what they parsed of an answer back with the history.
gateway.upstream.takes('the library sends it', ['parsed', 'parsed_arguments'])
const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

refusedByName(t, gateway, 'openai responses', [
  {
    wires: ['chat', 'messages', 'generative'],
    field: 'previous_response_id',
    ask: (model) =>
      client.responses.create({ model, input: 'Hello', previous_response_id: 'resp_1' }),
  },
  {
    wires: ['chat', 'messages', 'generative'],
    field: 'tools.file_search',
    ask: (model) =>
      client.responses.create({
        model,
        input: 'Hello',
        tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
        tool_choice: { type: 'file_search' },
      }),
  },
])
