/**
 * The operator's thresholds for the filters the service lets callers adjust. They are added to what the gateway writes;
 * a request that brings its own keeps them.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Settings } from '../../kernel/contract/kit.js'

/** The four filters that can be adjusted; a fifth, on elections, is gone since 2025. */
const categories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
] as const

const thresholds: ReadonlySet<unknown> = new Set([
  'OFF',
  'BLOCK_NONE',
  'BLOCK_ONLY_HIGH',
  'BLOCK_MEDIUM_AND_ABOVE',
  'BLOCK_LOW_AND_ABOVE',
])

export type Safety = (wire: JsonObject, model: string) => JsonObject

/** Answers the same object where nothing is added. */
export function safetyOf(settings: Settings): Safety {
  let table = settings.json('safety_settings')
  settings.onChange(() => {
    table = settings.json('safety_settings')
  })
  return (wire, model) => {
    if (wire.safetySettings !== undefined || wire.safety_settings !== undefined) return wire
    const threshold = Object.hasOwn(table, model) ? table[model] : table.default
    if (!thresholds.has(threshold)) return wire
    return { ...wire, safetySettings: categories.map((category) => ({ category, threshold })) }
  }
}
