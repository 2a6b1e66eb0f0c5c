/**
 * Claude by InvokeModel: the messages format, with the model in the address and the version and betas in the body
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html).
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  AddressContext,
  ChannelView,
  FormatAdapter,
} from '../../../kernel/contract/provider.js'
import { bytesOf, changed } from '../../../kernel/toolkit/body/index.js'
import { accepted, knownBetas, refusedOf } from '../../../kernel/toolkit/vendors/index.js'
import { callOf, eventStream } from '../call.js'
import { fail } from '../fail.js'
import { isClaude, modelBehind } from '../model.js'
import { facts } from './claude-facts.js'
import { unframeClaude } from './claude-stream.js'
import { turnsWithoutBeta, withoutBeta } from './needs-beta.js'
import { adjustThinking } from './thinking.js'

export const claude: FormatAdapter = {
  format: 'messages',
  serves: isClaude,
  streamTypes: [eventStream],
  forwards: ['anthropic-beta'],
  refuses: (wire, channel, model) => [
    ...new Set([
      ...refusedOf(facts, wire, modelBehind(channel, model)),
      ...withoutBeta(wire, channel),
    ]),
  ],
  adjust: (wire, channel) => turnsWithoutBeta(adjust(wire, channel), channel),
  address(wire, channel, credentials, context) {
    const verb = context.stream ? 'invoke-with-response-stream' : 'invoke'
    const body = invocation(wire, betasOf(channel, context))
    return callOf({ verb, body }, channel, credentials, context)
  },
  unframe: unframeClaude,
  fail,
}

/** What Claude is refused depends on which one it is, also where an ARN stands in its place. */
export function adjust(wire: JsonObject, channel: ChannelView): JsonObject {
  const { model } = wire
  const behind = typeof model === 'string' ? modelBehind(channel, model) : model
  if (behind === model) return accepted(facts, adjustThinking(wire))
  const named: JsonObject = { ...wire, model: behind! }
  const adjusted = accepted(facts, adjustThinking(named))
  return adjusted === named ? wire : { ...adjusted, model: model! }
}

const version = 'bedrock-2023-05-31'

/** What a client wrote goes out as it wrote it, but for the members that change places. */
export function invocation(wire: Body, betas: readonly string[]): string | Buffer {
  if (wire.kind !== 'json') return '{}'
  const { model: _model, stream: _stream, ...rest } = wire.value
  const value: JsonObject = {
    ...rest,
    anthropic_version: rest.anthropic_version ?? version,
    ...(betas.length > 0 && { anthropic_beta: rest.anthropic_beta ?? betas }),
  }
  return bytesOf(changed(wire, value))
}

function betasOf({ settings }: ChannelView, { forwarded }: AddressContext): readonly string[] {
  const known = Array.isArray(settings.betas) ? settings.betas : []
  return knownBetas(forwarded.headers['anthropic-beta'], [], known)
}
