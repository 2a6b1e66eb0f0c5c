/**
 * Ids of tool calls: at most 64 letters, digits, `_` and `-`, and nine letters and digits for some families. The same id always
 * comes out the same, so calls and results still meet.
 */
import { mintId } from '../../../kernel/toolkit/format/index.js'
import type { Family } from './family.js'

export function toolId(id: string, { shortToolIds }: Family): string {
  if (shortToolIds === true) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : mintId('', id).slice(0, 9)
  return /^[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : mintId('tool_', id)
}
