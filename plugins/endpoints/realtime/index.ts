/** `GET /v1/realtime?model=…`: reads the request for a WebSocket and sends it down the line (RT-1). */

import type { Client, Credential } from '../../../kernel/contract/client.js'
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { bearerCredential } from '../../../kernel/toolkit/endpoint/index.js'

export default function create(): Endpoint {
  return {
    routes: {
      open: {
        kind: 'socket',
        receive({ client }) {
          return {
            operation: 'realtime',
            format: 'chat',
            body: { kind: 'none' },
            credential: socketCredential(client),
            hints: { model: client.query.model ?? '', stream: true },
          }
        },
      },
    },
  }
}

/** A browser can set no header on a WebSocket, so its key stands among the subprotocols it offers. */
const keyItem = 'openai-insecure-api-key.'

function socketCredential({ headers }: Client): Credential {
  const bearer = bearerCredential(headers)
  if (bearer.kind === 'key') return bearer
  const offered = headers['sec-websocket-protocol']?.split(',') ?? []
  for (const item of offered) {
    const key = item.trim()
    if (key.startsWith(keyItem) && key.length > keyItem.length) {
      return { kind: 'key', key: key.slice(keyItem.length) }
    }
  }
  return bearer
}
