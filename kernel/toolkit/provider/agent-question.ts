/** A conversation as the one text that an app built at a service is asked. */
import type { Part, Turn } from '../../contract/call.js'

const speakers: Readonly<Record<Turn['role'], string>> = {
  system: 'System',
  developer: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'User',
}

/** A question that stands alone is sent as it is; of several turns each begins with who speaks. */
export function agentQuestion(turns: readonly Turn[]): string {
  const given = turns
    .map(({ role, parts }) => ({ role, text: parts.map(textOf).filter(Boolean).join('\n') }))
    .filter(({ text }) => text !== '')
  const [first, ...more] = given
  if (first?.role === 'user' && more.length === 0) return first.text
  return given.map(({ role, text }) => `${speakers[role]}: ${text}`).join('\n\n')
}

function textOf(part: Part): string {
  return part.kind === 'text' || part.kind === 'refusal' ? part.text : ''
}
