/** Requests to a gateway under test, and what stands in its replies. */
import { isObject, type Json, type JsonObject } from '../../../../kernel/contract/json.js'

/** How requests reach the gateway under test. */
export interface LiveClient {
  /** The model, as the upstream calls it. */
  readonly model: string
  /** Absent: embeddings are not tried. */
  readonly embeddingModel?: string
  /** With a signal the client leaves when it is aborted, which is with the first bytes. */
  send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response>
  /** Names the upstream lists. Rejects with its reason. */
  models(): Promise<readonly string[]>
}

/** The upstream did something else than it was asked for. */
export class Unexpected extends Error {}

/** A whole answer. Rejects with the words of a refusal. */
export function chat(client: LiveClient, messages: readonly Json[], more: JsonObject = {}) {
  const body = { model: client.model, messages, ...more }
  return requested(client, '/v1/chat/completions', body)
}

export async function requested(
  client: LiveClient,
  path: string,
  body: JsonObject,
): Promise<JsonObject> {
  const response = await client.send('POST', path, body)
  if (!response.ok) throw new Error(await refusalOf(response))
  return jsonOf(response)
}

export async function refusalOf(response: Response): Promise<string> {
  const { error } = await jsonOf(response).catch((): JsonObject => ({}))
  const words = isObject(error) ? String(error.message) : 'no reason was given'
  return `${response.status}: ${words}`
}

export async function jsonOf(response: Response): Promise<JsonObject> {
  const value: unknown = await response.json()
  if (!isObject(value)) throw new Unexpected('the answer is no JSON object')
  return value
}

export function messageOf({ choices }: JsonObject): JsonObject {
  const [first] = Array.isArray(choices) ? choices.filter(isObject) : []
  const message = first?.message
  if (!isObject(message)) throw new Unexpected('the answer has no message')
  return message
}

export function textOf(reply: JsonObject): string {
  const { content } = messageOf(reply)
  if (typeof content !== 'string' || content.trim() === '') throw new Unexpected('no text came')
  return content
}

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: string
}

export function callsOf(reply: JsonObject): readonly ToolCall[] {
  const { tool_calls: calls } = messageOf(reply)
  return (Array.isArray(calls) ? calls.filter(isObject) : []).flatMap(({ id, function: called }) =>
    isObject(called)
      ? [{ id: String(id), name: String(called.name), input: String(called.arguments) }]
      : [],
  )
}

export function numberAt(value: JsonObject, path: readonly string[]): number | undefined {
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value)
  return typeof found === 'number' ? found : undefined
}

export function shortened(text: string, charactersMax = 60): string {
  // A terminal would obey what an upstream writes to it.
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line
}
