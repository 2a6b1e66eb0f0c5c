/**
 * A bot built with Coze, talked to as if it were a model (https://docs.coze.cn/developer_guides/chat_v3). It always
 * streams: otherwise an answer would have to be polled.
 */
import type { OwnFormAdapter, Provider } from '../../kernel/contract/provider.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { encode } from './encode.js'
import { fail } from './fail.js'
import { readBot } from './read.js'
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
    bearerRequest(upstreamUrl(baseUrl, '/v3/chat'), credentials, context, {
      accept: 'text/event-stream',
    }),
  read: readBot,
  fail,
}
