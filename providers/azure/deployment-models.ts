/** The model behind a deployment: what the channel states, else the deployment's own name. */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'

export function modelOf({ settings }: ChannelView, deployment: string): string {
  const models = settings.deployment_models
  if (!isObject(models) || !Object.hasOwn(models, deployment)) return deployment
  const model = models[deployment]
  return typeof model === 'string' && model.trim() !== '' ? model.trim() : deployment
}

/** What `change` makes of a request that names the model; the same object where nothing changes. */
export function changedAsModel(
  wire: JsonObject,
  channel: ChannelView,
  change: (wire: JsonObject) => JsonObject,
): JsonObject {
  const { model: deployment } = wire
  if (typeof deployment !== 'string') return change(wire)
  const named = { ...wire, model: modelOf(channel, deployment) }
  const changed = change(named)
  return changed === named ? wire : { ...changed, model: deployment }
}

export function isClaude(channel: ChannelView, deployment: string): boolean {
  return /claude/i.test(modelOf(channel, deployment))
}
