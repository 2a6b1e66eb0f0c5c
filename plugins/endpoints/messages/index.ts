/** `POST /v1/messages`: checks what only the head and this path can say, and sends the request down the line (FMT-1). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { messagesCredential } from '../../../kernel/http/credential.js'
import { requireJson } from '../../../kernel/http/media-type.js'
import { requireVersion } from '../../../kernel/http/version-header.js'
import { readJson } from '../../../kernel/wire/json.js'
import { requireWholeConversation } from './threads.js'

export default function create(): Endpoint {
  return {
    routes: {
      create: {
        kind: 'relay',
        receive({ client, payload }) {
          requireJson(client.headers)
          requireVersion(client.headers)
          const value = readJson(payload)
          requireWholeConversation(value)
          return {
            operation: 'chat',
            format: 'messages',
            body: { kind: 'json', value, bytes: payload },
            credential: messagesCredential(client.headers),
          }
        },
      },
    },
  }
}
