/**
 * An app built with Dify, talked to as if it were a model
 * (https://docs.dify.ai/api-reference/chat/send-chat-message). It always streams: agents answer in no other way.
 */
import type { OwnFormAdapter, Provider } from '../../kernel/contract/provider.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { encode } from './encode.js'
import { fail } from './fail.js'
import { readApp } from './read.js'
import { expresses, ownFields, unsupportedFields } from './unsupported-fields.js'

export default function create(): Provider {
  return { operations: { chat } }
}

const chat: OwnFormAdapter = {
  format: 'own',
  // An error may come whole, in the place of a stream.
  streamTypes: ['application/json'],
  expresses,
  ownFields,
  unsupportedFields,
  encode,
  address: (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, '/v1/chat-messages'), credentials, context, {
      accept: 'text/event-stream',
    }),
  read: readApp,
  fail,
}
