/**
 * Every other model by the Converse API, one form for all makers
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html): one adapter for each family, since
 * what can be expressed differs.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { OwnFormAdapter } from '../../../kernel/contract/provider.js'
import { callOf, eventStream } from '../call.js'
import { fail } from '../fail.js'
import { isClaude, modelBehind } from '../model.js'
import { servesResponses } from '../responses/routes.js'
import { encoderFor } from './encode.js'
import { families } from './families.js'
import type { Family } from './family.js'
import { readConverse } from './read.js'
import { expressesOf, unsupportedFieldsOf } from './unsupported-fields.js'

export const converse: readonly OwnFormAdapter[] = families.map(converseFor)

function converseFor(family: Family): OwnFormAdapter {
  return {
    format: 'own',
    serves: (channel, model) =>
      family.models.test(modelBehind(channel, model)) &&
      !isClaude(channel, model) &&
      !servesResponses(model),
    streamTypes: [eventStream],
    encode: encoderFor(family),
    expresses: expressesOf(family),
    unsupportedFields: unsupportedFieldsOf(family),
    address(wire, channel, credentials, context) {
      const streams = context.stream && !(family.tools === 'whole' && offersTools(wire))
      const verb = streams ? 'converse-stream' : 'converse'
      const body = JSON.stringify(wire.kind === 'json' ? wire.value : {})
      return callOf({ verb, body }, channel, credentials, context)
    },
    read: readConverse,
    fail,
  }
}

/** "This model doesn't support tool use in streaming mode": the answer comes in one piece, and is streamed from here. */
function offersTools(wire: Body): boolean {
  return wire.kind === 'json' && wire.value.toolConfig !== undefined
}
