/** The model list in the three forms clients read, and by what a request on a shared path shows which one is meant. */
import type { Client } from '../../../kernel/contract/exchange.js'
import type { FormatName } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { versionOf } from '../../../kernel/http/version-header.js'
import { endpointTypes, isChat } from './uses.js'

export interface Style {
  /** How its errors are dressed. */
  readonly format: FormatName
  list(names: readonly string[]): JsonObject
  one(name: string): JsonObject
}

/** Clients expect a creation time; models have none here, so all share this one. Unix seconds. */
const created = 1_626_777_600

const chat: Style = {
  format: 'chat',
  // Scripts of this family look for `success`.
  list: (names) => ({ success: true, object: 'list', data: names.map(chat.one) }),
  one: (name) => ({
    id: name,
    object: 'model',
    created,
    owned_by: 'waybill',
    supported_endpoint_types: endpointTypes(name),
  }),
}

const messages: Style = {
  format: 'messages',
  list: (names) => ({
    data: names.map(messages.one),
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
    has_more: false,
  }),
  one: (name) => ({
    type: 'model',
    id: name,
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
  }),
}

/** No token for a next page: some clients take any value of it, null included, for one. */
const generative: Style = {
  format: 'generative',
  list: (names) => ({ models: names.map(generative.one) }),
  one: (name) => ({
    name: `models/${name}`,
    displayName: name,
    supportedGenerationMethods: isChat(name)
      ? ['generateContent', 'streamGenerateContent', 'countTokens']
      : [],
  }),
}

export const styles = { chat, messages, generative } as const

/** Messages clients name their version; generative ones show their key where only they do. */
export function styleOf({ headers, query }: Client): Style {
  if (versionOf(headers) !== undefined) return messages
  const isGenerative = Boolean(headers['x-goog-api-key'] || query.key)
  return isGenerative ? generative : chat
}
