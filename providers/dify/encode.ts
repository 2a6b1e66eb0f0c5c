/**
 * The canonical call as one message to an app. An app takes a question, not a conversation: earlier turns are
 * written into the question, each turn under the name of its speaker.
 */
import type { Call, Part, Turn } from '../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import { fileOf } from './files.js'

/** The app counts and bills by users; calls that name none are one user. */
const anonymous = 'user'

export function encode({ turns, user, only }: Call): JsonObject {
  const { inputs, conversation_id: conversation } = only?.chat ?? {}
  const isKept = typeof conversation === 'string' && conversation !== ''
  const requested = isKept ? turns.slice(-1) : turns
  const files = requested.flatMap(({ parts }) => parts.flatMap(fileOf))
  return {
    query: queryOf(requested),
    inputs: isObject(inputs) ? inputs : {},
    response_mode: 'streaming',
    user: user || anonymous,
    ...(isKept && { conversation_id: conversation }),
    ...(files.length > 0 && { files }),
    auto_generate_name: false,
  }
}

const speakers: Readonly<Record<Turn['role'], string>> = {
  system: 'System',
  developer: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'User',
}

/** A question that stands alone is sent as it is. */
function queryOf(turns: readonly Turn[]): string {
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
