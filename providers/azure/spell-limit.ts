/**
 * Deployments of reasoning models refuse `max_tokens` and want `max_completion_tokens`. A deployment whose model is
 * known neither by the channel nor by its name gets the field as the client spelled it.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { modelOf } from './deployment-models.js'

const reasoningModel = /^(?:o\d|gpt-[5-9])/

/** The same object where nothing is to be moved; the number stays, an explicit 0 included (FMT-5, FMT-6). */
export function spellLimit(wire: JsonObject, channel: ChannelView): JsonObject {
  const { max_tokens: older, ...rest } = wire
  if (older === undefined || typeof wire.model !== 'string') return wire
  if (!reasoningModel.test(modelOf(channel, wire.model))) return wire
  const newer = wire.max_completion_tokens
  return typeof newer === 'number' && newer !== 0 ? rest : { ...rest, max_completion_tokens: older }
}
