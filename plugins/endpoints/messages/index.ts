/** `POST /v1/messages`: checks what only the head and this path hold, and sends the request down the line (FMT-1). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import {
  jsonBody,
  messagesCredential,
  requireJson,
} from '../../../kernel/toolkit/endpoint/index.js'
import { requireVersion } from '../../../kernel/toolkit/vendors/index.js'
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
