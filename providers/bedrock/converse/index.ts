/**
 * Every other model by the Converse API, one form for all makers
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).
 */
import type { OwnFormAdapter } from '../../../kernel/contract/provider.js'
import { callOf, eventStream } from '../call.js'
import { fail } from '../fail.js'
import { isClaude } from '../model.js'
import { encode } from './encode.js'
import { readConverse } from './read.js'
import { expresses, unsupportedFields } from './unsupported-fields.js'

export const converse: OwnFormAdapter = {
  format: 'own',
  serves: (_channel, model) => !isClaude(model),
  streamTypes: [eventStream],
  encode,
  expresses,
  unsupportedFields,
  address(wire, channel, credentials, context) {
    const verb = context.stream ? 'converse-stream' : 'converse'
    const body = JSON.stringify(wire.kind === 'json' ? wire.value : {})
    return callOf({ verb, body }, channel, credentials, context)
  },
  read: readConverse,
  fail,
}
