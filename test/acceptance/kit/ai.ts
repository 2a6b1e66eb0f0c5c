/** The `ai` package as a client, whichever of its providers it speaks through. */
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type Schema,
  stepCountIs,
  streamObject,
  streamText,
  type ToolSet,
  tool,
} from 'ai'
import type { Abilities, Answer, Client, Question } from './client.js'
import { question, weather } from './extras.js'
import type { Wire } from './upstreams.js'

// What the library cannot know of models it does not know by name it states on the console.
globalThis.AI_SDK_LOG_WARNINGS = false

type SdkQuestion = Question<ModelMessage[]>
type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

export interface Provider {
  readonly name: string
  readonly wire: Wire
  readonly abilities: Abilities
  readonly model: (name: string) => LanguageModel
  readonly options: (question: SdkQuestion) => Options
}

export function aiClient({
  name,
  wire,
  abilities,
  model,
  options,
}: Provider): Client<ModelMessage[]> {
  const common = (question: SdkQuestion) => ({
    model: model(question.model),
    ...(question.system !== undefined && { system: question.system }),
    messages: conversation(question),
    providerOptions: options(question),
    maxRetries: 0,
  })
  return {
    name: `ai with ${name}`,
    wire,
    abilities,
    async ask(question) {
      if (question.schema !== undefined) return askObject(question, common(question))
      const request = { ...common(question), tools: toolSet(question) }
      if (question.stream) return askStream(question, request)
      const { text, reasoning, toolCalls, totalUsage, response } = await generateText(request)
      const content = { text, reasoning, toolCalls, usage: totalUsage }
      return answer(question, content, 1, response.messages)
    },
    async leave(question) {
      const controller = new AbortController()
      const { signal } = controller
      const { textStream } = streamText({ ...common(question), abortSignal: signal })
      for await (const piece of textStream) if (piece !== '') break
      controller.abort()
    },
    statusOf(error) {
      if (!APICallError.isInstance(error)) return undefined
      const { statusCode = 0, message, responseBody = '' } = error
      return { status: statusCode, message: abilities.errorWords ? message : responseBody }
    },
  }
}

/** The library's own loop of calls. */
export async function aiLoop(
  model: LanguageModel,
  providerOptions: Options,
  tell: (input: unknown) => string,
): Promise<string> {
  const { name, description, schema } = weather
  const execute = async (input: unknown) => tell(input)
  const result = streamText({
    model,
    providerOptions,
    prompt: question,
    tools: { [name]: tool({ description, inputSchema: jsonSchema(schema), execute }) },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  })
  const steps = await result.steps
  return steps.at(-1)?.text ?? ''
}

type Common = Pick<
  Parameters<typeof generateText>[0],
  'model' | 'system' | 'providerOptions' | 'maxRetries'
> & { readonly messages: ModelMessage[] }

async function askStream(question: SdkQuestion, request: Common & { tools: ToolSet | undefined }) {
  const result = streamText({ ...request, onError: () => {} })
  let pieces = 0
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw asError(part.error)
    if (part.type === 'text-delta') pieces += 1
  }
  const content = {
    text: await result.text,
    reasoning: await result.reasoning,
    toolCalls: await result.toolCalls,
    usage: await result.totalUsage,
  }
  return answer(question, content, pieces, (await result.response).messages)
}

/** The library hands on what its provider's stream stated, as it came. */
function asError(result: unknown): Error {
  return result instanceof Error ? result : new Error(JSON.stringify(result))
}

async function askObject(question: SdkQuestion, request: Common) {
  const schema = jsonSchema(question.schema!)
  const result = question.stream
    ? await streamedObject({ ...request, schema })
    : await generateObject({ ...request, schema })
  const content = {
    text: JSON.stringify(result.object),
    reasoning: [],
    toolCalls: [],
    usage: result.usage,
  }
  return answer(question, content, 1, [])
}

async function streamedObject(request: Common & { readonly schema: Schema<unknown> }) {
  const result = streamObject(request)
  for await (const _ of result.partialObjectStream);
  return { object: await result.object, usage: await result.usage }
}

function toolSet({ tools }: SdkQuestion): ToolSet | undefined {
  if (tools === undefined) return undefined
  const entries = tools.map(({ name, description, schema }) => {
    return [name, tool({ description, inputSchema: jsonSchema(schema) })]
  })
  return Object.fromEntries(entries)
}

function conversation({ after, results, prompt, image }: SdkQuestion): ModelMessage[] {
  const messages: ModelMessage[] = [...(after?.history ?? [])]
  if (results !== undefined) {
    const content = results.map(({ call, output }) => {
      const result = { type: 'text' as const, value: output }
      const { id: toolCallId, name: toolName } = call
      return { type: 'tool-result' as const, toolCallId, toolName, output: result }
    })
    messages.push({ role: 'tool', content })
  }
  if (prompt === undefined) return messages
  if (image === undefined) return [...messages, { role: 'user', content: prompt }]
  const text = { type: 'text' as const, text: prompt }
  const picture = { type: 'image' as const, image: image.base64, mediaType: image.mime }
  return [...messages, { role: 'user', content: [text, picture] }]
}

interface AssistantMessage {
  readonly text: string
  readonly reasoning: readonly { text: string }[]
  readonly toolCalls: readonly { toolCallId: string; toolName: string; input: unknown }[]
  readonly usage: LanguageModelUsage
}

function answer(
  question: SdkQuestion,
  { text, reasoning, toolCalls, usage }: AssistantMessage,
  pieces: number,
  texts: readonly ModelMessage[],
): Answer<ModelMessage[]> {
  return {
    text,
    pieces,
    reasoning: paragraphs(reasoning),
    calls: toolCalls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input })),
    counts: {
      prompt: usage.inputTokens ?? 0,
      completion: usage.outputTokens ?? 0,
      cacheRead: usage.inputTokenDetails.cacheReadTokens ?? 0,
      cacheWrite: usage.inputTokenDetails.cacheWriteTokens ?? 0,
      reasoning: usage.outputTokenDetails.reasoningTokens ?? 0,
    },
    history: [...conversation(question), ...texts],
  }
}

/** Reasoning comes in parts, some of them nothing but a seal. */
function paragraphs(parts: readonly { text: string }[]): string {
  const texts = parts.map(({ text }) => text)
  return texts.filter((text) => text !== '').join('\n\n')
}
