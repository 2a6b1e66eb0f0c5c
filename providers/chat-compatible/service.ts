/** What is known of a service, and how most services call their paths. */
import type { OperationName } from '../../kernel/contract/names.js'
import type { ServiceFacts } from './chat-needs.js'
import type { ResponsesFact } from './responses-facts.js'
import type { UnheededFact } from './unheeded.js'
import type { VectorsFact } from './vectors-facts.js'

/** Chat in one of four formats, or another operation in the form its clients send. */
export type Place =
  | 'chat'
  | 'messages'
  | 'responses'
  | 'generative'
  | Exclude<OperationName, 'chat'>

export interface Service {
  /** Paths below the base; `{model}` stands for the model. What is not named is not served. */
  readonly paths: Readonly<Partial<Record<Place, string>>>
  /** Some of its models have these paths in place of the others'. */
  readonly apart?: { readonly models: RegExp; readonly paths: Service['paths'] }
  /** Where models are listed. */
  readonly models: string
  /** A server of the operator's own, whose key may be blank or `-`. */
  readonly keyIsOptional?: true
  /** The key as it is sent, where the channel holds another. */
  readonly bearer?: (key: string) => string
  /** The application a key of several parts names. */
  readonly appId?: (key: string) => string | undefined
  /** The messages format is called with the key in this header. Absent: as all the rest, as a bearer. */
  readonly messagesKey?: 'x-api-key'
  /** What of the responses format it takes. Absent: all. */
  readonly responses?: ResponsesFact
  /** What calls for vectors may hold. Absent: as much as clients send. */
  readonly vectors?: VectorsFact
  /** What chat is refused, and how it must be written. Absent: all of the format is taken. */
  readonly chat?: ServiceFacts
  /** What chat is not heeded though the answer hangs on it. Absent: everything is. */
  readonly unheeded?: readonly UnheededFact[]
  /** It passes the formats on to whatever stands behind it, so what its maker sends is not taken out of them. */
  readonly passesOn?: true
}

/** As the services call the paths that clients of the form know. */
const usual = {
  chat: '/chat/completions',
  messages: '/messages',
  responses: '/responses',
  completions: '/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  edits: '/images/edits',
  rerank: '/rerank',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  moderations: '/moderations',
} as const

export function serving(places: readonly (keyof typeof usual)[], version = '/v1'): Service {
  const paths = places.map((place) => [place, `${version}${usual[place]}`])
  return { paths: Object.fromEntries(paths), models: `${version}/models` }
}

export function withMessages(service: Service, version: string): Service {
  return { ...service, paths: { ...service.paths, messages: `${version}/messages` } }
}

export function withGenerative(service: Service): Service {
  return { ...service, paths: { ...service.paths, generative: '/v1beta/models/{model}' } }
}
