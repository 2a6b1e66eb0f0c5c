/**
 * The request for usage in a stream (M12), where the client left that open (FMT-5). What the client
 * itself requested stays to be seen in the body this one was made of.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { jsonOf, objectOf } from '../../../kernel/toolkit/operation/index.js'

export function requestUsage(wire: JsonObject): JsonObject {
  const options = objectOf(wire.stream_options)
  if ((options?.include_usage ?? null) !== null) return wire
  return { ...wire, stream_options: { ...options, include_usage: true } }
}

export function wantsUsage({ stream_options }: JsonObject): boolean {
  return objectOf(stream_options)?.include_usage === true
}

/** Whether the client requested usage, read from what was sent. */
export function clientWantsUsage(wire: Body): boolean {
  const original = wire.kind === 'json' ? wire.original?.value : undefined
  return wantsUsage(original ?? jsonOf(wire))
}
