/** What a service refuses of a chat request: it is left out, and the client is told which. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { objectsOf } from '../../kernel/toolkit/json/index.js'
import { changedEach, withoutMembers } from '../../kernel/toolkit/vendors/index.js'
import { serviceOf } from './services.js'

const names = 'messages.name'

export function refusedFields(wire: JsonObject, { type }: ChannelView): readonly string[] {
  const { refuses = [] } = serviceOf(type)
  return refuses.filter((field) => (field === names ? hasNames(wire) : wire[field] !== undefined))
}

export function withoutNames(wire: JsonObject, { type }: ChannelView): JsonObject {
  const { refuses = [] } = serviceOf(type)
  if (!refuses.includes(names)) return wire
  const messages = changedEach(wire.messages, (one) => withoutMembers(one, ['name']))
  return messages === undefined || messages === wire.messages ? wire : { ...wire, messages }
}

function hasNames({ messages }: JsonObject): boolean {
  return objectsOf(messages).some(({ name }) => name !== undefined)
}
