/** The few words on the parts of a call that several files here need. */
import type { Call, Part } from '../../../kernel/contract/call.js'
import { partsOf } from '../../../kernel/toolkit/format/index.js'

export type Of<K extends Part['kind']> = Extract<Part, { kind: K }>

/** The history holds calls or their results; the service then insists on knowing the tools. */
export function holdsTools({ turns }: Call): boolean {
  for (const { kind } of partsOf(turns)) {
    if (kind === 'toolCall' || kind === 'toolResult') return true
  }
  return false
}

/** Omitted fields stay omitted (FMT-5). */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

export function unlessEmpty<T extends object>(fields: T): T | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}
