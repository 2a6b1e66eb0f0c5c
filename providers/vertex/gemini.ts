/** Google's models in the generative format. */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { FormatAdapter } from '../../kernel/contract/provider.js'
import { fail } from './fail.js'
import { isGemini } from './model.js'
import { callTo, publisherPath } from './place.js'
import { withoutToolIds } from './tool-ids.js'

export const gemini: FormatAdapter = {
  format: 'generative',
  serves: (_channel, model) => isGemini(model),
  adjust: (wire) => withoutToolIds(nameRoles(wire)),
  address(_wire, channel, credentials, { model, stream }) {
    const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const path = publisherPath('google', model, verb)
    const accept = stream ? 'text/event-stream' : 'application/json'
    return callTo({ model, version: 'v1beta1', path }, channel, credentials, accept)
  },
  fail,
}

/** Here every turn must have a role; elsewhere a turn without a role is the user's. */
function nameRoles(wire: JsonObject): JsonObject {
  const { contents } = wire
  if (!Array.isArray(contents) || !contents.some(lacksRole)) return wire
  const named = contents.map((content) =>
    lacksRole(content) ? { role: 'user', ...(content as JsonObject) } : content,
  )
  return { ...wire, contents: named }
}

function lacksRole(content: Json): boolean {
  return isObject(content) && content.role === undefined
}
