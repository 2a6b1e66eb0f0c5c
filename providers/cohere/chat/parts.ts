/** The few words that several files here need. */
import type { Part } from '../../../kernel/contract/call.js'

export type Of<K extends Part['kind']> = Extract<Part, { readonly kind: K }>

/** Fields only this service has; clients of the chat format send them along. */
export const ownWords = ['documents', 'citation_options', 'safety_mode', 'priority'] as const

/** Omitted fields stay omitted (FMT-5). */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
