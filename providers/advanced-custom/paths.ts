/** What a client calls, by path: the incoming end of a route. */
import type { FormatName, OperationName, TaskOperationName } from '../../kernel/contract/names.js'

/** A media task is watched after it was submitted, which a list of routes cannot describe. */
type Relayed = Exclude<OperationName, 'chat' | 'count' | TaskOperationName>

export type Incoming =
  | { readonly kind: 'chat'; readonly format: FormatName }
  | { readonly kind: 'operation'; readonly operation: Relayed }
  /** Embeddings as Gemini has them, of one text or of many. */
  | { readonly kind: 'geminiEmbedding'; readonly many: boolean }
  /** Asked by management, never by a client through this channel. */
  | { readonly kind: 'management' }

const chat = (format: FormatName): Incoming => ({ kind: 'chat', format })
const operation = (name: Relayed): Incoming => ({ kind: 'operation', operation: name })

const incoming: ReadonlyMap<string, Incoming> = new Map([
  ['/v1/chat/completions', chat('chat')],
  ['/pg/chat/completions', chat('chat')],
  ['/v1/messages', chat('messages')],
  ['/v1/responses', chat('responses')],
  ['/v1/completions', operation('completions')],
  ['/v1/embeddings', operation('embeddings')],
  ['/v1/engines/{model}/embeddings', operation('embeddings')],
  ['/v1/images/generations', operation('images')],
  ['/pg/images/generations', operation('images')],
  ['/v1/images/edits', operation('edits')],
  ['/v1/edits', operation('edits')],
  ['/v1/audio/speech', operation('speech')],
  ['/v1/audio/transcriptions', operation('transcriptions')],
  ['/v1/audio/translations', operation('translations')],
  ['/v1/rerank', operation('rerank')],
  ['/v1/moderations', operation('moderations')],
  ['/v1/responses/compact', operation('compact')],
  ['/v1/alpha/search', operation('search')],
  ['/v1/realtime', operation('realtime')],
  ['/v1/models', { kind: 'management' }],
  ['/v1/dashboard/billing/credit_grants', { kind: 'management' }],
])

const generative = /^\/v1(?:beta)?\/models\/\{model\}:(\w+)$/
/** The two verbs of chat are one path: each client's wish to stream picks the verb. */
const verbs: ReadonlyMap<string, Incoming> = new Map([
  ['generateContent', chat('generative')],
  ['streamGenerateContent', chat('generative')],
  ['embedContent', { kind: 'geminiEmbedding', many: false }],
  ['batchEmbedContents', { kind: 'geminiEmbedding', many: true }],
])

export function incomingOf(path: string): Incoming | undefined {
  return incoming.get(path) ?? verbs.get(generative.exec(path)?.[1] ?? '')
}

/** The Playground's paths: what they request is requested at the path of the API as well. */
export function isPlayground(path: string): boolean {
  return path.startsWith('/pg/')
}

const counting = /^\/v1\/messages\/count_tokens$|^\/v1(?:beta)?\/models\/\{model\}:countTokens$/
const tasks = /^\/(?:mj|mj-\w+|suno|kling|jimeng|v1\/videos?|v1\/video\/\w+|pg\/\w+)(?:\/|$)/

/** Why this path leads to no route, to go on after it. */
export function faultOfIncoming(path: string): string | undefined {
  if (incomingOf(path) !== undefined) return undefined
  if (counting.test(path)) return 'is answered by this gateway itself and takes no route'
  if (tasks.test(path)) return 'is a path of media tasks, which routes cannot serve'
  return 'is no path this gateway serves'
}

/** Every operation a route may serve besides chat. */
export const operations = [
  ...new Set(
    [...incoming.values()].flatMap((one) => (one.kind === 'operation' ? [one.operation] : [])),
  ),
]
