/** Chat by the server's own `/api/chat`: one JSON object a line. */
import type { OwnFormAdapter } from '../../../kernel/contract/provider.js'
import { callTo } from '../call.js'
import { fail } from '../fail.js'
import { readChat } from './decode.js'
import { encode } from './encode.js'
import { ownFields, wantsNative } from './requested.js'
import { expresses, unsupportedFields } from './unsupported-fields.js'

export { embeddings } from './embeddings.js'
export { wantsNative } from './requested.js'

export const chat: OwnFormAdapter = {
  format: 'own',
  serves: (channel, _model, _client, call) => wantsNative(channel, call),
  streamTypes: ['application/x-ndjson', 'application/json'],
  expresses,
  ownFields,
  unsupportedFields,
  encode,
  address: callTo('/api/chat', { accept: 'application/x-ndjson, application/json' }),
  read: readChat,
  fail,
}
