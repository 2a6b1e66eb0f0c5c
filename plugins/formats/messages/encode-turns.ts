/**
 * Canonical turns as `system` and `messages`. The format's rules: instructions stand beside the conversation, roles
 * alternate and the first is the user's, a user message begins with the results of the calls before it.
 */
import type { Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { defined } from './defined.js'
import { encodeParts, shorthand } from './encode-content.js'

/** The first user turn where the conversation has none; the table of unsupported fields names it as `turns.first`. */
const filler = 'Continue.'

export interface EncodedTurns {
  readonly system?: string | readonly JsonObject[]
  readonly messages: readonly JsonObject[]
}

export function encodeTurns(turns: readonly Turn[]): EncodedTurns {
  const system = encodeParts(turns.filter(isInstruction).flatMap(({ parts }) => parts))
  const messages = merged(turns.filter((turn) => !isInstruction(turn)))
  if (lacksUser(messages))
    messages.unshift({ role: 'user', blocks: [{ type: 'text', text: filler }] })
  return defined({
    system: system.length === 0 ? undefined : shorthand(system),
    messages: messages.map(({ role, blocks, leftovers }) => ({
      ...leftovers,
      role,
      content: shorthand(role === 'user' ? resultsFirst(blocks) : blocks),
    })),
  })
}

/** The first word would not be the user's, so one is put before it. */
export function needsFiller(turns: readonly Turn[]): boolean {
  return lacksUser(merged(turns.filter((turn) => !isInstruction(turn))))
}

/** System and developer turns, but for those a client of this format put between messages itself. */
export function isInstruction({ role, only }: Turn): boolean {
  if (role === 'developer') return true
  return role === 'system' && only?.messages?.role !== 'system'
}

interface Message {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: JsonObject[]
  readonly leftovers?: JsonObject
}

/** Neighbours of one role become one message; empty ones are dropped. */
function merged(turns: readonly Turn[]): Message[] {
  const messages: Message[] = []
  for (const turn of turns) {
    const blocks = encodeParts(turn.parts)
    if (blocks.length === 0) continue
    const role = messageRole(turn)
    const last = messages.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else messages.push({ role, blocks, leftovers: turn.only?.messages })
  }
  return messages
}

function messageRole({ role }: Turn): Message['role'] {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

function resultsFirst(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const isResult = ({ type }: JsonObject) => type === 'tool_result'
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]
}

function lacksUser(messages: readonly Message[]): boolean {
  return messages.find(({ role }) => role !== 'system')?.role !== 'user'
}
