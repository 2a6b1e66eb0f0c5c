/**
 * Turns as `system` and `messages`. The service's rules: instructions stand beside the conversation, roles alternate,
 * the user speaks first, results of tools come before other words, a document does not come alone, and no text is blank.
 */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { toolInput } from '../../../kernel/toolkit/format/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { DocumentNames } from './document-names.js'
import type { Family } from './family.js'
import { mediaBlock } from './media.js'
import { mustTellTools, type Of } from './parts.js'
import { withToolsTold } from './told-tools.js'
import { toolId } from './tool-ids.js'

export interface EncodedTurns {
  readonly system?: readonly JsonObject[]
  readonly messages: readonly JsonObject[]
}

export function encodeTurns(call: Call, family: Family): EncodedTurns {
  const turns = mustTellTools(call) ? withToolsTold(call.turns) : call.turns
  const writer = new BlockWriter(family)
  const system = turns.filter(isInstruction).flatMap(({ parts }) => writer.blocks(parts))
  const messages: { role: 'user' | 'assistant'; content: JsonObject[] }[] = []
  for (const turn of turns) {
    const content = isInstruction(turn) ? [] : writer.blocks(turn.parts)
    if (content.length === 0) continue
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else messages.push({ role, content })
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [firstWord] })
  return present({
    system: system.length === 0 ? undefined : system,
    messages: messages.map(({ role, content }) => ({ role, content: arranged(content) })),
  })
}

const firstWord = { text: 'Continue.' }
const besideDocument = { text: 'The document is attached.' }

function isInstruction({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}

/** A cache mark stays behind its block. */
function arranged(content: readonly JsonObject[]): readonly JsonObject[] {
  const results: JsonObject[] = []
  const others: JsonObject[] = []
  let list = others
  for (const block of content) {
    if (block.cachePoint === undefined) list = block.toolResult === undefined ? others : results
    list.push(block)
  }
  const isAlone = holds(others, 'document') && !holds(others, 'text')
  return [...results, ...others, ...(isAlone ? [besideDocument] : [])]
}

function holds(blocks: readonly JsonObject[], kind: string): boolean {
  return blocks.some((block) => block[kind] !== undefined)
}

/** Writes the blocks of one request, of which no two documents have one name. */
class BlockWriter {
  private readonly names = new DocumentNames()

  constructor(private readonly family: Family) {}

  blocks(parts: readonly Part[]): JsonObject[] {
    const { caches } = this.family
    return parts.flatMap((part) => {
      const block = this.block(part)
      if (block === undefined) return []
      const isMarked = caches !== undefined && part.cache !== undefined
      return isMarked ? [block, cachePoint(part.cache!, this.family)] : [block]
    })
  }

  /** Reasoning is sealed for its issuer, and these models need none of it back. */
  private block(part: Part): JsonObject | undefined {
    switch (part.kind) {
      case 'text':
      case 'refusal':
        return part.text.trim() === '' ? undefined : { text: part.text }
      case 'media':
        return mediaBlock(part, part.type === 'file' ? this.names.next(part.name) : undefined)
      case 'toolCall':
        return this.toolUse(part)
      case 'toolResult':
        return this.toolResult(part)
      default:
        return undefined
    }
  }

  private toolUse({ id, name, input }: Of<'toolCall'>): JsonObject {
    const toolUseId = toolId(id, this.family)
    return { toolUse: { toolUseId, name, input: toolInput(input) ?? {} } }
  }

  private toolResult({ callId, parts, failed }: Of<'toolResult'>): JsonObject {
    const content = parts.map((part) => this.block(part)).filter((block) => block !== undefined)
    const isFailed = failed === true && this.family.failedResults === true
    return {
      toolResult: present({
        toolUseId: toolId(callId, this.family),
        content: content.length === 0 ? [{ json: {} }] : content,
        status: isFailed ? 'error' : undefined,
      }),
    }
  }
}

/** "Extended TTL prompt caching is only supported for Anthropic models". */
export function cachePoint({ ttl }: { readonly ttl?: string }, { longCache }: Family): JsonObject {
  const isLong = longCache === true && ttl === '1h'
  return { cachePoint: present({ type: 'default', ttl: isLong ? ttl : undefined }) }
}
