/**
 * Models of other makers in the chat format: open ones at one path for all, named with their maker
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis), Mistral's at its own.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatAdapter } from '../../kernel/contract/provider.js'
import { bytesOf, changed } from '../../kernel/toolkit/body/index.js'
import { refusedByMistral, takenByMistral } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'
import { bareName, isMistral, isOpenModel } from './model.js'
import { callTo, publisherPath } from './place.js'

export const openModels: FormatAdapter = {
  format: 'chat',
  serves: (_channel, model) => isOpenModel(model),
  address: (_wire, channel, credentials, { model, stream }) =>
    callTo(
      { model, version: 'v1', path: 'endpoints/openapi/chat/completions' },
      channel,
      credentials,
      accepted(stream),
    ),
  fail,
}

export const mistral: FormatAdapter = {
  format: 'chat',
  serves: (_channel, model) => isMistral(model),
  // Usage always comes, and the field that requests it is refused.
  requestsUsage: false,
  refuses: (wire, _channel, model) => refusedByMistral(wire, model),
  adjust: (wire) => takenByMistral(plainFields(wire)),
  address(wire, channel, credentials, { model, stream }) {
    const path = publisherPath('mistralai', model, stream ? 'streamRawPredict' : 'rawPredict')
    const request = callTo({ model, version: 'v1', path }, channel, credentials, accepted(stream))
    return model === bareName(model) ? request : { ...request, body: named(wire, bareName(model)) }
  },
  fail,
}

/** Refused here although clients send them: the newer name of the limit, whose precedence is kept (FMT-6). */
function plainFields(wire: JsonObject): JsonObject {
  const { max_completion_tokens: newer, stream_options: requested, ...rest } = wire
  if (newer === undefined && requested === undefined) return wire
  const older = rest.max_tokens
  const limit = newer || (older ?? newer)
  return limit === undefined ? rest : { ...rest, max_tokens: limit }
}

function accepted(stream: boolean): string {
  return stream ? 'text/event-stream' : 'application/json'
}

function named(wire: Body, model: string): string | Buffer {
  return wire.kind === 'json' ? bytesOf(changed(wire, { ...wire.value, model })) : '{}'
}
