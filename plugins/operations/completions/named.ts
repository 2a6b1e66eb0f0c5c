/**
 * The outgoing body: the model as the upstream knows it, and in a stream the request for usage (failures.md M12). What
 * the client itself asked for stays to be seen in the body this one was made of.
 */
import type { Body } from '../../../kernel/contract/exchange.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectOf } from '../../../kernel/wire/operation-answer.js'
import { jsonOf, withFields } from '../../../kernel/wire/operation-body.js'

export function named(body: Body, model: string): Body {
  const fields = jsonOf(body)
  if (fields.stream !== true || wantsUsage(fields)) return withFields(body, { model })
  const stream_options = { ...objectOf(fields.stream_options), include_usage: true }
  return withFields(body, { model, stream_options })
}

export function wantsUsage({ stream_options }: JsonObject): boolean {
  return objectOf(stream_options)?.include_usage === true
}

/** Whether the client asked for usage, told from what was sent. */
export function clientWantsUsage(wire: Body): boolean {
  const original = wire.kind === 'json' ? wire.original?.value : undefined
  return wantsUsage(original ?? jsonOf(wire))
}
