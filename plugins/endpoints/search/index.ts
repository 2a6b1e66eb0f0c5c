/** `POST /v1/alpha/search`, a relay mode of its own: the body goes down the line as it came (FMT-12, FMT-13). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { bearerCredential } from '../../../kernel/http/credential.js'
import { requireJson } from '../../../kernel/http/media-type.js'
import { readJson } from '../../../kernel/wire/json.js'

export default function create(): Endpoint {
  return {
    routes: {
      'vendor-alpha-search': {
        kind: 'relay',
        receive({ client, payload }) {
          requireJson(client.headers)
          return {
            operation: 'search',
            format: 'chat',
            body: { kind: 'json', value: readJson(payload), bytes: payload },
            credential: bearerCredential(client.headers),
          }
        },
      },
    },
  }
}
