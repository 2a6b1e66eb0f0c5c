/**
 * When the server's own API is spoken: where the channel or the request holds what only that one takes, the size of the
 * context above all.
 */
import type { Call } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present } from '../../../kernel/toolkit/json/index.js'

/** Fields in the server's own words, which clients of the chat format may send along. */
export const ownFields = ['options', 'num_ctx', 'keep_alive', 'think'] as const

/** Those that other paths do not take; `think` has an equivalent there. */
const asking = ['options', 'num_ctx', 'keep_alive'] as const

export function wantsNative(channel: ChannelView, call: (() => Call) | undefined): boolean {
  if (configured(channel)) return true
  const fields = call?.().only?.chat ?? {}
  return asking.some((field) => isGiven(fields[field]))
}

/** The channel itself says something that only this API takes. */
export function configured({ settings }: ChannelView): boolean {
  return contextOf(settings) !== undefined || keepAliveOf(settings) !== undefined
}

/** What the channel says for requests that say nothing themselves. */
export function defaultsOf({ settings }: ChannelView): JsonObject {
  return present<JsonObject>({
    num_ctx: contextOf(settings),
    keep_alive: keepAliveOf(settings),
  })
}

export function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null
}

function contextOf({ num_ctx: size }: JsonObject): number | undefined {
  return typeof size === 'number' && size > 0 ? size : undefined
}

/** A bare number is seconds; as a text the server would miss its unit. */
function keepAliveOf({ keep_alive: reported }: JsonObject): string | number | undefined {
  const duration = typeof reported === 'string' ? reported.trim() : ''
  if (duration === '') return undefined
  return /^-?\d+$/.test(duration) ? Number(duration) : duration
}
