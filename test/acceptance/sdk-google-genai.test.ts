/** The official `@google/genai` and its generateContent at an upstream of every format. */
import {
  ApiError,
  type CallableTool,
  type Content,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import t from 'tap'
import type { Answer, Client, Question } from './kit/client.js'
import { ownLoop, question, refusedByName, weather } from './kit/extras.js'
import { type At, matrix } from './kit/matrix.js'

function genai({ url, key }: At): Client<Content[]> {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  return {
    name: '@google/genai generateContent',
    wire: 'generative',
    abilities: {
      reasoning: true,
      seals: 'all',
      callSeals: true,
      counts: ['cacheRead', 'reasoning'],
      errorWords: true,
      streamErrors: 'reported',
    },
    async ask(question) {
      const body = request(question)
      if (!question.stream) return answer(question, [await client.models.generateContent(body)])
      const chunks: GenerateContentResponse[] = []
      for await (const chunk of await client.models.generateContentStream(body)) chunks.push(chunk)
      return answer(question, chunks)
    },
    async leave(question) {
      const controller = new AbortController()
      const { config, ...body } = request(question)
      const stream = await client.models.generateContentStream({
        ...body,
        config: { ...config, abortSignal: controller.signal },
      })
      for await (const { text } of stream) if (text) break
      controller.abort()
    },
    statusOf: (error) => (error instanceof ApiError ? error : undefined),
  }
}

function request(question: Question<Content[]>): GenerateContentParameters {
  const { model, system, tools, schema, thinks } = question
  return {
    model,
    contents: conversation(question),
    config: {
      ...(system !== undefined && { systemInstruction: system }),
      ...(thinks && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } }),
      ...(tools && {
        tools: [
          {
            functionDeclarations: tools.map(({ schema: parametersJsonSchema, ...tool }) => {
              return { ...tool, parametersJsonSchema }
            }),
          },
        ],
      }),
      ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
    },
  }
}

function conversation({ after, results, prompt, image }: Question<Content[]>): Content[] {
  const contents: Content[] = [...(after?.history ?? [])]
  if (results !== undefined) {
    const parts = results.map(({ call: { id, name }, output }) => {
      return { functionResponse: { ...(id !== '' && { id }), name, response: { output } } }
    })
    contents.push({ role: 'user', parts })
  }
  if (prompt === undefined) return contents
  const parts: Part[] = [{ text: prompt }]
  if (image) parts.push({ inlineData: { mimeType: image.mime, data: image.base64 } })
  return [...contents, { role: 'user', parts }]
}

/** As the library's own chat keeps it: the parts of all chunks, in order. */
function answer(
  question: Question<Content[]>,
  chunks: readonly GenerateContentResponse[],
): Answer<Content[]> {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const texts = (thought: boolean) =>
    parts.filter((part) => part.text && (part.thought ?? false) === thought)
  const usage = chunks.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata
  const reasoning = usage?.thoughtsTokenCount ?? 0
  return {
    text: texts(false)
      .map(({ text }) => text)
      .join(''),
    pieces: texts(false).length,
    reasoning: texts(true)
      .map(({ text }) => text)
      .join(''),
    calls: chunks
      .flatMap(({ functionCalls }) => functionCalls ?? [])
      .map(({ id = '', name = '', args = {} }) => ({ id, name, input: args })),
    counts: {
      prompt: usage?.promptTokenCount ?? 0,
      completion: (usage?.candidatesTokenCount ?? 0) + reasoning,
      cacheRead: usage?.cachedContentTokenCount ?? 0,
      cacheWrite: 0,
      reasoning,
    },
    history: [...conversation(question), { role: 'model', parts }],
  }
}

const gateway = await matrix(t, (at) => [genai(at)])
const client = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } })

const automatic = '@google/genai automatic function calling'
ownLoop(t, gateway, { name: automatic, wire: 'generative' }, async (model, tell) => {
  const { name, description, schema: parametersJsonSchema } = weather
  const declared: CallableTool = {
    tool: async () => ({ functionDeclarations: [{ name, description, parametersJsonSchema }] }),
    callTool: async (calls) =>
      calls.map(({ id, name = '', args }) => {
        return { functionResponse: { id, name, response: { output: tell(args) } } }
      }),
  }
  const config = { tools: [declared] }
  const { text } = await client.models.generateContent({ model, contents: question, config })
  return text
})

refusedByName(t, gateway, '@google/genai generateContent', [
  {
    wires: ['chat', 'messages', 'responses'],
    field: 'cachedContent',
    ask: (model) => {
      const config = { cachedContent: 'cachedContents/1' }
      return client.models.generateContent({ model, contents: 'Hello', config })
    },
  },
])
