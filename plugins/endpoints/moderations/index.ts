/** `POST /v1/moderations`: reads the request and sends it down the line (FMT-16). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { bearerCredential } from '../../../kernel/http/credential.js'
import { requireJson } from '../../../kernel/http/media-type.js'
import { readJson } from '../../../kernel/wire/json.js'

export default function create(): Endpoint {
  return {
    routes: {
      create: {
        kind: 'relay',
        receive({ client, payload }) {
          requireJson(client.headers)
          return {
            operation: 'moderations',
            format: 'chat',
            body: { kind: 'json', value: readJson(payload), bytes: payload },
            credential: bearerCredential(client.headers),
          }
        },
      },
    },
  }
}
