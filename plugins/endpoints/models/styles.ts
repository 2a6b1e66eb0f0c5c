/** The model list in the three forms clients read, and by what a request on a shared path shows which one is meant. */
import type { Client } from '../../../kernel/contract/client.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import { versionOf } from '../../../kernel/toolkit/vendors/index.js'
import type { ModelFacts } from '../../services/model-registry/index.js'

export interface Style {
  /** How its errors are dressed. */
  readonly format: FormatName
  list(models: readonly ListedModel[]): JsonObject
  one(model: ListedModel): JsonObject
}

export interface ListedModel {
  readonly name: string
  readonly facts: ModelFacts
}

/** Clients expect a creation time; models have none here, so all share this one. Unix seconds. */
const created = 1_626_777_600

const chat: Style = {
  format: 'chat',
  // Scripts of this family look for `success`.
  list: (models) => ({ success: true, object: 'list', data: models.map(chat.one) }),
  one: ({ name, facts }) => ({
    id: name,
    object: 'model',
    created,
    owned_by: facts.vendor?.name ?? 'waybill',
    supported_endpoint_types: facts.endpoints.map(({ type }) => type),
  }),
}

const messages: Style = {
  format: 'messages',
  list: (models) => ({
    data: models.map(messages.one),
    first_id: models[0]?.name ?? null,
    last_id: models.at(-1)?.name ?? null,
    has_more: false,
  }),
  one: ({ name }) => ({
    type: 'model',
    id: name,
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
  }),
}

/** No token for a next page: some clients take any value of it, null included, for one. */
const generative: Style = {
  format: 'generative',
  list: (models) => ({ models: models.map(generative.one) }),
  one: ({ name, facts }) => ({
    name: `models/${name}`,
    displayName: name,
    supportedGenerationMethods: [
      ...(facts.isChat ? ['generateContent', 'streamGenerateContent', 'countTokens'] : []),
      ...(embeds(facts) ? ['embedContent', 'batchEmbedContents'] : []),
    ],
  }),
}

function embeds({ endpoints }: ModelFacts): boolean {
  return endpoints.some(({ type }) => type === 'embeddings')
}

export const styles = { chat, messages, generative } as const

/** Messages clients name their version; generative ones show their key where only they do. */
export function styleOf({ headers, query }: Client): Style {
  if (versionOf(headers) !== undefined) return messages
  const isGenerative = Boolean(headers['x-goog-api-key'] || query.key)
  return isGenerative ? generative : chat
}
