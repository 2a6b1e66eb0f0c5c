/** `POST /v1/completions`: reads the request and sends it down the line (SVC-3, FMT-16). */
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
            operation: 'completions',
            format: 'chat',
            body: { kind: 'json', value: readJson(payload), bytes: payload },
            credential: bearerCredential(client.headers),
          }
        },
      },
    },
  }
}
