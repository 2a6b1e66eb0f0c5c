/** What a client calls, by path: the incoming end of a route. */
import type { FormatName, OperationName, TaskOperationName } from '../../kernel/contract/names.js'

/** A media task is watched after it was submitted, which a list of routes cannot describe. */
type Relayed = Exclude<OperationName, 'chat' | 'count' | TaskOperationName>

export type Incoming =
  | { readonly kind: 'chat'; readonly format: FormatName }
  | { readonly kind: 'operation'; readonly operation: Relayed }
  /** Asked by management, never by a client through this channel. */
  | { readonly kind: 'management' }

const chat = (format: FormatName): Incoming => ({ kind: 'chat', format })
const operation = (name: Relayed): Incoming => ({
  kind: 'operation',
  operation: name,
})

const incoming: ReadonlyMap<string, Incoming> = new Map([
  ['/v1/chat/completions', chat('chat')],
  ['/v1/messages', chat('messages')],
  ['/v1/responses', chat('responses')],
  ['/v1/completions', operation('completions')],
  ['/v1/embeddings', operation('embeddings')],
  ['/v1/images/generations', operation('images')],
  ['/v1/images/edits', operation('edits')],
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

/** The two verbs of the generative form are one path: each client's wish to stream picks the verb. */
const generative = /^\/v1(?:beta)?\/models\/\{model\}:(?:generateContent|streamGenerateContent)$/

export function incomingOf(path: string): Incoming | undefined {
  return generative.test(path) ? chat('generative') : incoming.get(path)
}

/** Every operation a route may serve besides chat. */
export const operations = [...incoming.values()].flatMap((one) =>
  one.kind === 'operation' ? [one.operation] : [],
)

/** Of an upstream's path: printable, no dot segments, nothing that ends it early; `{model}` is the one placeholder. */
export function isUpstreamPath(path: string): boolean {
  const plain = path.replaceAll('{model}', 'm')
  return (
    /^\/[\w$&'()*+,\-./:;=@~!]*(?:\?[\w$&'()*+,\-./:;=@~!%]*)?$/.test(plain) && !dots.test(plain)
  )
}

const dots = /^[^?]*\/\.{1,2}(?:[/?]|$)/
