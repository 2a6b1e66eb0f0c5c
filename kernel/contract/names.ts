/** Names of what a gateway has several of, and of one request. */

declare const requestId: unique symbol

/** `req_` and 26 time-ordered characters, minted here (never the client's word, X16). Keys every movement of money. */
export type RequestId = string & { readonly [requestId]: true }

export type OperationName =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'images'
  | 'edits'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'rerank'
  | 'moderations'
  | 'search'
  | 'compact'
  | 'realtime'

export type StageName =
  | 'auth'
  | 'route-plan'
  | 'channel-pick'
  | 'mapping'
  | 'override'
  | 'pre-consume'
  | 'upstream'
  | 'settle'

export type FormatName = 'chat' | 'messages' | 'generative' | 'responses'
