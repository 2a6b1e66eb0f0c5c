/** `POST /v1/messages`: checks what only the head and this path can say, and sends the request down the line (FMT-1). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { messagesCredential } from '../../../kernel/http/credential.js'
import { requireJson } from '../../../kernel/http/media-type.js'
import { requireVersion } from '../../../kernel/http/version-header.js'
import { jsonBody } from '../../../kernel/wire/json-relay.js'
import { requireWholeConversation } from './threads.js'

export default function create(): Endpoint {
  return {
    routes: {
      create: {
        kind: 'relay',
        receive(inbound) {
          const { headers } = inbound.client
          requireJson(headers)
          requireVersion(headers)
          const body = jsonBody(inbound)
          requireWholeConversation(body.value)
          return {
            operation: 'chat',
            format: 'messages',
            body,
            credential: messagesCredential(headers),
          }
        },
      },
    },
  }
}
