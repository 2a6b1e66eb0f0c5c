/**
 * The channel's system prompt as a turn of the canonical call, for upstreams with a form of their own: it has to be there
 * before that form is written.
 */
import type { Call, Turn } from '../../../kernel/contract/call.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'

/** The same call where nothing changes. */
export function withSystemTurn(call: Call, channel: Channel): Call {
  const text = channel.systemPrompt
  if (text === undefined) return call
  if (!channel.overrideSystemPrompt && call.turns.some(instructs)) return call
  const turn: Turn = { role: 'system', parts: [{ kind: 'text', text }] }
  return { ...call, turns: [turn, ...call.turns] }
}

function instructs({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}
