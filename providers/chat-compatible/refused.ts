/** What a service refuses of a chat request: it is left out, and the client is told which. */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { objectsOf } from '../../kernel/toolkit/json/index.js'
import { serviceOf } from './services.js'

const names = 'messages.name'

export function refusedFields(wire: JsonObject, { type }: ChannelView): readonly string[] {
  const { refuses = [] } = serviceOf(type)
  return refuses.filter((field) => (field === names ? hasNames(wire) : wire[field] !== undefined))
}

export function withoutNames(wire: JsonObject, { type }: ChannelView): JsonObject {
  const { refuses = [] } = serviceOf(type)
  const { messages } = wire
  if (!refuses.includes(names) || !Array.isArray(messages) || !hasNames(wire)) return wire
  return { ...wire, messages: messages.map((one) => (isObject(one) ? nameless(one) : one)) }
}

function hasNames({ messages }: JsonObject): boolean {
  return objectsOf(messages).some(({ name }) => name !== undefined)
}

function nameless({ name: _, ...message }: JsonObject): JsonObject {
  return message
}
