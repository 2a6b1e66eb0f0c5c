/** What a model can be called for: by its entry, else by its name; and where this gateway serves such calls. */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import type { Endpoint } from './model-registry.js'
import { chatTypes, typesByName } from './uses.js'

/** The family's words, each with its address here. */
const addresses: Readonly<Record<string, string>> = {
  openai: '/v1/chat/completions',
  'openai-response': '/v1/responses',
  'openai-response-compact': '/v1/responses/compact',
  'vendor-alpha-search': '/v1/alpha/search',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/{model}:generateContent',
  'jina-rerank': '/v1/rerank',
  'image-generation': '/v1/images/generations',
  embeddings: '/v1/embeddings',
}

export function endpointsByName(model: string): readonly Endpoint[] {
  return typesByName(model).map((type) => known(type) ?? { type, method })
}

export function isChat(endpoints: readonly Endpoint[]): boolean {
  return endpoints.some(({ type }) => chatTypes.includes(type))
}

/**
 * The text of an entry: a list of types, or an object of type and address, the address as a path or as
 * `{path, method}`. A type known here keeps the address it has here. Undefined: nothing is set.
 */
export function endpointsIn(text: string): readonly Endpoint[] | undefined {
  const value = parsed(text)
  const named: readonly (readonly [string, Json | undefined])[] = Array.isArray(value)
    ? value.map((type: Json) => [String(type), undefined] as const)
    : Object.entries(isObject(value) ? value : {})
  if (named.length === 0) return undefined
  return named.map(([type, address]) => known(type) ?? { type, ...addressIn(address) })
}

const method = 'POST'

function known(type: string): Endpoint | undefined {
  const path = Object.hasOwn(addresses, type) ? addresses[type] : undefined
  return path === undefined ? undefined : { type, path, method }
}

function addressIn(value: Json | undefined): Omit<Endpoint, 'type'> {
  if (typeof value === 'string') return { path: value, method }
  if (!isObject(value) || typeof value.path !== 'string') return { method }
  return { path: value.path, method: typeof value.method === 'string' ? value.method : method }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
