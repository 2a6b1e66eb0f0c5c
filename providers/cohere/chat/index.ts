/**
 * Chat by `/v2/chat` (https://docs.cohere.com/reference/chat). The service has an endpoint in OpenAI's form too,
 * which knows no tool choice, no sampling by rank and no citations.
 */
import type { OwnFormAdapter } from '../../../kernel/contract/provider.js'
import { callTo, fail } from '../call.js'
import { encode } from './encode.js'
import { ownWords } from './parts.js'
import { readChat } from './read.js'
import { expresses, unsupportedFields } from './unsupported-fields.js'

export const chat: OwnFormAdapter = {
  format: 'own',
  // An error may come whole, in the place of a stream.
  streamTypes: ['application/json'],
  expresses,
  ownFields: ownWords,
  unsupportedFields,
  encode,
  address: callTo('/v2/chat'),
  read: readChat,
  fail,
}
