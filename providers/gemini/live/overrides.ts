/** What a request of an answer may say: only what holds for the session anyway, which has been set. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'

/** Kept by the client for itself, or the same as without it. */
const usual: Readonly<Record<string, (value: Json) => boolean>> = {
  model: () => true,
  conversation: (value) => value === 'auto',
  tool_choice: (value) => value === 'auto',
  output_modalities: (value) => Array.isArray(value) && value.includes('audio'),
  modalities: (value) => Array.isArray(value) && value.includes('audio'),
}

export function refuseOverrides(response: JsonObject): void {
  for (const [name, value] of Object.entries(response)) {
    if (value === null || value === undefined) continue
    if (usual[name]?.(value) !== true) throw notExpressible(`response.${name}`)
  }
}
