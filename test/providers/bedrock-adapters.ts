/** The adapter that serves a model, as the gateway finds it: the one in the client's format, else the first. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import type { Adapter, ChannelView } from '../../kernel/contract/provider.js'
import create from '../../providers/bedrock/index.js'

const { operations } = create()

export const account = '123456789012'
const pair = 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1'

export function channelWith(settings: JsonObject = {}): ChannelView {
  const baseUrl = 'https://bedrock-runtime.{region}.amazonaws.com'
  return { id: 1, type: 33, baseUrl, settings: { region: 'us-west-2', ...settings } }
}

export function servingAll(
  model: string,
  operation: OperationName = 'chat',
  client?: FormatName,
  channel: ChannelView = channelWith(),
): readonly Adapter[] {
  const list = [operations[operation] ?? []].flat() as readonly Adapter[]
  return list.filter((adapter) => adapter.serves?.(channel, model, client) !== false)
}

export function adapterFor(
  model: string,
  operation: OperationName = 'chat',
  client?: FormatName,
  channel: ChannelView = channelWith(),
): Adapter {
  const found = servingAll(model, operation, client, channel)
  const adapter = found.find(({ format }) => format === client) ?? found[0]
  if (adapter === undefined) throw new Error(`Nothing serves ${model}.`)
  return adapter
}

/** One outgoing call, as it is made for this key. */
export function callOf(
  adapter: Adapter,
  wire: JsonObject,
  { model, key = pair, stream = false, settings = {} }: CallOptions,
) {
  const context = { now: 1_440_938_160_000, forwarded: { headers: {} }, model, stream }
  return adapter.address({ kind: 'json', value: wire }, channelWith(settings), { key }, context)
}

export interface CallOptions {
  readonly model: string
  readonly key?: string
  readonly stream?: boolean
  readonly settings?: JsonObject
}
