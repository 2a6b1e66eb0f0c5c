/**
 * Turns as `system` and `messages`. The service's rules: instructions stand beside the conversation, roles alternate,
 * the user speaks first, and no text is blank.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { mintId, toolInput } from '../../../kernel/toolkit/format/index.js'
import { mediaBlock } from './media.js'
import { defined, type Of } from './parts.js'

export interface EncodedTurns {
  readonly system?: readonly JsonObject[]
  readonly messages: readonly JsonObject[]
}

/** `caches`: the model takes cache marks. */
export function encodeTurns(turns: readonly Turn[], caches: boolean): EncodedTurns {
  const system = turns.filter(isInstruction).flatMap(({ parts }) => blocksOf(parts, caches))
  const messages: { role: 'user' | 'assistant'; content: JsonObject[] }[] = []
  for (const turn of turns) {
    const content = isInstruction(turn) ? [] : blocksOf(turn.parts, caches)
    if (content.length === 0) continue
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else messages.push({ role, content })
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [firstWord] })
  return defined({ system: system.length === 0 ? undefined : system, messages })
}

const firstWord = { text: 'Continue.' }

function isInstruction({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}

function blocksOf(parts: readonly Part[], caches: boolean): JsonObject[] {
  return parts.flatMap((part) => {
    const block = blockOf(part)
    if (block === undefined) return []
    return caches && part.cache !== undefined ? [block, cachePoint(part.cache)] : [block]
  })
}

export function cachePoint({ ttl }: { readonly ttl?: string }): JsonObject {
  return { cachePoint: defined({ type: 'default', ttl: ttl === '1h' ? ttl : undefined }) }
}

/** Reasoning is sealed for its issuer, and these models need none of it back. */
function blockOf(part: Part): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? undefined : { text: part.text }
    case 'media':
      return mediaBlock(part)
    case 'toolCall':
      return toolUse(part)
    case 'toolResult':
      return toolResult(part)
    default:
      return undefined
  }
}

function toolUse({ id, name, input }: Of<'toolCall'>): JsonObject {
  return { toolUse: { toolUseId: toolId(id), name, input: toolInput(input) ?? {} } }
}

function toolResult({ callId, parts, failed }: Of<'toolResult'>): JsonObject {
  const content = parts.map(blockOf).filter((block) => block !== undefined)
  return {
    toolResult: defined({
      toolUseId: toolId(callId),
      content: content.length === 0 ? [{ json: {} }] : content,
      status: failed === true ? 'error' : undefined,
    }),
  }
}

/** At most 64 letters, digits, `_` and `-`. The same id always comes out the same, so calls and results still meet. */
function toolId(id: string): string {
  const safe = id.replace(/[^a-zA-Z0-9_-]/g, '_')
  return safe.length <= 64 ? safe : mintId('tool_', id)
}
