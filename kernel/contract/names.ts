/** Names of what a gateway has several of, and of one request. */

declare const requestId: unique symbol

/** `req_` and 26 time-ordered characters, minted here (never the client's word, X16). Keys every movement of money. */
export type RequestId = string & { readonly [requestId]: true }

/**
 * The three interfaces below hold the names the gateway itself brings. Who registers another format, operation or stage
 * adds its name to them, and every type that speaks of names knows it from then on:
 *
 *     declare module 'waybill/contract' {
 *       interface FormatNames { acme: true }
 *     }
 *
 * At run time a name is good when a plugin of that id is registered (`format.acme`).
 */
export interface OperationNames {
  chat: true
  completions: true
  embeddings: true
  images: true
  edits: true
  speech: true
  transcriptions: true
  translations: true
  rerank: true
  moderations: true
  search: true
  compact: true
  count: true
  realtime: true
  video: true
  music: true
  midjourney: true
}
export type OperationName = keyof OperationNames

/** Operations whose requests are media tasks (`Operation.task`). */
export type TaskOperationName = 'video' | 'music' | 'midjourney'

export interface StageNames {
  auth: true
  'route-plan': true
  'channel-pick': true
  mapping: true
  override: true
  'pre-consume': true
  upstream: true
  settle: true
}
export type StageName = keyof StageNames

export interface FormatNames {
  chat: true
  messages: true
  generative: true
  responses: true
}
export type FormatName = keyof FormatNames

/**
 * Whose words something opaque is written in: those of a format, or those of one provider whose upstream has a form of
 * its own. A provider writes its plugin id and reads only what stands under it.
 */
export type Issuer = FormatName | `provider.${string}` | `task.${string}`
