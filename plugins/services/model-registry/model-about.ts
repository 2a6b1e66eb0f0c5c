/** Facts of an admin's entry, and what the table of known models has where the entry says nothing. */
import type { ModelAbout } from '../../../kernel/toolkit/management/index.js'

/** Of the first what it has, of the second the rest; capabilities one by one. */
export function mergedAbout(first: ModelAbout, second: ModelAbout): ModelAbout {
  const both = { ...second.capabilities, ...first.capabilities }
  return { ...second, ...first, ...(Object.keys(both).length > 0 && { capabilities: both }) }
}
