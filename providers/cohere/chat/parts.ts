/** Walks over the parts of a call, and the few words that several files here need. */
import type { Part, Turn } from '../../../kernel/contract/call.js'

export type Of<K extends Part['kind']> = Extract<Part, { readonly kind: K }>

/** Fields only this service has; clients of the chat format send them along. */
export const ownWords = ['documents', 'citation_options', 'safety_mode', 'priority'] as const

/** Every part, those inside tool results included. */
export function* partsOf(turns: readonly Turn[]): Generator<Part> {
  for (const { parts } of turns) yield* nested(parts)
}

function* nested(parts: readonly Part[]): Generator<Part> {
  for (const part of parts) {
    yield part
    if (part.kind === 'toolResult') yield* nested(part.parts)
  }
}

/** Omitted fields stay omitted (FMT-5). */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
