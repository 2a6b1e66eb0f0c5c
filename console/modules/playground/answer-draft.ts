/** An answer put together from the pieces of a stream, or from one whole body, in the chat format. */
import type { ToolCall, Usage } from './conversation.js'

type Json = Readonly<Record<string, unknown>>

export class AnswerDraft {
  text = ''
  reasoning = ''
  refusal = ''
  finish = ''
  usage: Usage | undefined
  firstMs: number | undefined
  reasoningMs: number | undefined
  private readonly byIndex = new Map<number, ToolCall>()
  private reasoningFrom: number | undefined

  get calls(): readonly ToolCall[] {
    return [...this.byIndex.values()]
  }

  /** One event's JSON, and when it came after the request was sent. */
  take(value: unknown, ms: number): void {
    const { choices, usage } = objectOf(value)
    if (isObject(usage)) this.usage = usageOf(usage)
    const choice = objectOf(Array.isArray(choices) ? choices[0] : undefined)
    if (typeof choice.finish_reason === 'string') this.finish = choice.finish_reason
    this.takeWords(objectOf(choice.delta ?? choice.message), ms)
  }

  /** Reasoning without an answer ends with the answer. */
  end(ms: number): void {
    if (this.reasoningFrom !== undefined) this.reasoningMs ??= ms - this.reasoningFrom
  }

  private takeWords(words: Json, ms: number): void {
    const reasoning = textOf(words.reasoning_content) || textOf(words.reasoning)
    const text = contentOf(words.content)
    const refusal = textOf(words.refusal)
    const calls = Array.isArray(words.tool_calls) ? (words.tool_calls as readonly unknown[]) : []
    if (!reasoning && !text && !refusal && calls.length === 0) return
    this.firstMs ??= ms
    this.reasoning += reasoning
    if (reasoning) this.reasoningFrom ??= ms
    if (text || refusal || calls.length > 0) this.end(ms)
    this.text += text
    this.refusal += refusal
    for (const [place, call] of calls.entries()) this.takeCall(objectOf(call), place)
  }

  private takeCall(piece: Json, place: number): void {
    const index = typeof piece.index === 'number' ? piece.index : place
    const before = this.byIndex.get(index) ?? { id: '', name: '', arguments: '' }
    const called = objectOf(piece.function)
    this.byIndex.set(index, {
      id: textOf(piece.id) || before.id,
      name: before.name + textOf(called.name),
      arguments: before.arguments + textOf(called.arguments),
    })
  }
}

function usageOf(usage: Json): Usage {
  const prompt = objectOf(usage.prompt_tokens_details)
  const completion = objectOf(usage.completion_tokens_details)
  return {
    prompt: numberOf(usage.prompt_tokens) ?? 0,
    completion: numberOf(usage.completion_tokens) ?? 0,
    cached: numberOf(prompt.cached_tokens),
    reasoning: numberOf(completion.reasoning_tokens),
  }
}

/** Text, or parts of which some are text. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  return (content as readonly unknown[]).map((part) => textOf(objectOf(part).text)).join('')
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
