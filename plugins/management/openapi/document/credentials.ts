/** How callers authenticate, and what each kind of route requires. */

import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { RouteCredential } from '../../../../kernel/contract/manifest.js'
import type { FormatName } from '../../../../kernel/contract/names.js'

const apiKey = (place: 'header' | 'query' | 'cookie', name: string, description: string) => ({
  type: 'apiKey',
  in: place,
  name,
  description,
})

export const securitySchemes: JsonObject = {
  session: apiKey(
    'cookie',
    'session',
    'Set by POST /api/user/login. Behind HTTPS its name is __Host-session. Requests that change something must come from the gateway’s own origin, or from no page at all.',
  ),
  accessToken: apiKey(
    'header',
    'Authorization',
    'For scripts: an access token of POST /api/user/access_tokens or POST /api/user/token, with or without “Bearer” before it. New-Api-User may name its owner’s id beside it. It does not suffice where a live session or a proof is asked for.',
  ),
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the gateway: sk-…' },
  messagesKey: apiKey('header', 'x-api-key', 'The API key, as messages clients send it.'),
  generativeKey: apiKey('header', 'x-goog-api-key', 'The API key, as generative clients send it.'),
  generativeQuery: apiKey('query', 'key', 'The API key in the address of a generative request.'),
}

/** One of these will do. */
export function security(credential: RouteCredential, format?: FormatName): readonly JsonObject[] {
  if (credential === 'none') return []
  const names =
    credential === 'key'
      ? (keyNames[format ?? 'chat'] ?? keyNames.chat)
      : ['session', 'accessToken']
  return names.map((name) => ({ [name]: [] }))
}

/** A format that is not named here takes its key as chat clients send it. */
const keyNames: Readonly<
  Partial<Record<FormatName, readonly string[]>> & { chat: readonly string[] }
> = {
  chat: ['bearer'],
  responses: ['bearer'],
  messages: ['messagesKey', 'bearer'],
  generative: ['generativeKey', 'generativeQuery', 'bearer'],
}

/** The role a route requires; 0: none. */
export const ranks: Readonly<Record<RouteCredential, number>> = {
  none: 0,
  key: 0,
  user: 1,
  admin: 10,
  root: 100,
}
