/**
 * A history of tool calls as words, for a request that offers no tools: nothing of it is lost, and no tool can be called.
 * LangChain’s package for AWS does the same (github.com/langchain-ai/langchain-aws, chat_models/bedrock_converse.py, 2026-11-27).
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import { partsOf } from '../../../kernel/toolkit/format/index.js'
import type { Of } from './parts.js'

export function withToolsTold(turns: readonly Turn[]): readonly Turn[] {
  const names = new Map<string, string>()
  for (const part of partsOf(turns)) if (part.kind === 'toolCall') names.set(part.id, part.name)
  return turns.map((turn) => ({
    ...turn,
    parts: turn.parts.flatMap((part) => told(part, names)),
  }))
}

function told(part: Part, names: ReadonlyMap<string, string>): readonly Part[] {
  if (part.kind === 'toolCall') return [callTold(part)]
  if (part.kind === 'toolResult') return resultTold(part, part.name ?? names.get(part.callId))
  return [part]
}

function callTold({ name, input, cache }: Of<'toolCall'>): Part {
  const text = `Called the tool ${name} with ${input.trim() || '{}'}`
  return { kind: 'text', text, ...(cache && { cache }) }
}

/** What a tool showed stands behind what it said. */
function resultTold({ parts, failed, cache }: Of<'toolResult'>, name = 'a tool'): readonly Part[] {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? part.text : []))
  const verb = failed === true ? 'failed' : 'returned'
  const text = `The tool ${name} ${verb}: ${texts.join('\n')}`
  const shown = parts.filter(({ kind }) => kind !== 'text')
  return [{ kind: 'text', text, ...(cache && { cache }) }, ...shown]
}
