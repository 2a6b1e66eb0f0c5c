/**
 * Members that only a beta brings: this service refuses them where the beta is not named, and which ones it knows is a
 * setting of the channel.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { changedEach, type Fact, withoutMembers } from '../../../kernel/toolkit/vendors/index.js'

interface BetaMember extends Fact {
  readonly beta: string
  /** Of the request, or of a message. */
  readonly member: 'context_management' | 'messages.output_config'
}

const read = '2026-11-27'

const facts: readonly BetaMember[] = [
  {
    beta: 'context-management-2025-06-27',
    member: 'context_management',
    source: 'github.com/anthropics/claude-code/issues/49548',
    read,
  },
  {
    beta: 'per-turn-control-2026-07-01',
    member: 'messages.output_config',
    source: 'test/fixtures/agents/claude-code.json (the beta that is sent beside it)',
    read,
  },
]

export function withoutBeta(wire: JsonObject, channel: ChannelView): readonly string[] {
  return unknownTo(channel).filter((member) => {
    return member === 'context_management' ? wire[member] !== undefined : setsTurns(wire)
  })
}

export function turnsWithoutBeta(wire: JsonObject, channel: ChannelView): JsonObject {
  if (!setsTurns(wire) || !unknownTo(channel).includes('messages.output_config')) return wire
  const messages = changedEach(wire.messages, (one) => withoutMembers(one, ['output_config']))
  return messages === undefined ? wire : { ...wire, messages }
}

function unknownTo({ settings }: ChannelView): readonly BetaMember['member'][] {
  const known = Array.isArray(settings.betas) ? settings.betas : []
  return facts.filter(({ beta }) => !known.includes(beta)).map(({ member }) => member)
}

function setsTurns({ messages }: JsonObject): boolean {
  return changedEach(messages, (one) => withoutMembers(one, ['output_config'])) !== messages
}
