/**
 * Model ids: a maker's name and version, perhaps with the prefix of an inference profile (`us.`, `eu.`, `global.`), or an
 * ARN. They are used as the operator names them. An ARN that does not say which model it leads to is known by the channel's
 * setting `arn_models`.
 */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { modelSegment } from '../../kernel/toolkit/provider/index.js'

/** The model whose facts apply: that behind an ARN as the operator states it, else the id itself. */
export function modelBehind({ settings }: ChannelView, model: string): string {
  if (!model.startsWith('arn:') || !isObject(settings.arn_models)) return model
  const stated = settings.arn_models[model]
  return typeof stated === 'string' ? stated : model
}

/**
 * Models of the messages format. A prompt router chooses among models of one maker and is called by Converse, as the user
 * guide shows it (prompt-routing).
 */
export function isClaude(channel: ChannelView, model: string): boolean {
  return modelBehind(channel, model).includes('anthropic.claude') && !routers.test(model)
}

const routers = /:(?:default-)?prompt-router\//

/** The kinds of ARNs a call takes as its model (API model of the runtime, `ConversationalModelId`, 2026-11-27). */
const arn =
  /^arn:aws[a-z-]*:(?:bedrock|sagemaker):([a-z0-9-]{1,20}):\d{0,12}:(?:[a-z-]+\/[\w.:-]+|custom-model\/[\w.:-]+\/[a-z0-9]{12})$/

/** Where what an ARN names lives; calls of it go there, whatever region the key names. */
export function regionOfArn(model: string): string | undefined {
  return arn.exec(model)?.[1]
}

/**
 * One segment of a path. An ARN holds a slash that belongs to it and goes out encoded; nothing else with one does.
 * A signature encodes the path as it goes out a second time.
 */
export function modelInPath(model: string): string {
  return arn.test(model) ? encodeURIComponent(model) : modelSegment(model)
}

/** What is wrong with a table of models by ARN, in one sentence. */
export function arnModelsFault({ arn_models: table }: JsonObject): string | undefined {
  if (table === undefined) return undefined
  const entries = isObject(table) ? Object.entries(table) : undefined
  const isSound = entries?.every(([name, id]) => arn.test(name) && isModelId(id))
  return isSound === true
    ? undefined
    : 'Models behind ARNs are an object of model ids by ARN, such as "anthropic.claude-sonnet-4-5-20250929-v1:0".'
}

function isModelId(id: unknown): boolean {
  return typeof id === 'string' && /^[a-z0-9-]+(?:\.[\w:-]+)+$/i.test(id)
}
