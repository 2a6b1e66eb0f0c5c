/** `POST /v1/responses`: reads the request and sends it down the line. Answers are not kept here, so none can be fetched. */
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
            operation: 'chat',
            format: 'responses',
            body: { kind: 'json', value: readJson(payload), bytes: payload },
            credential: bearerCredential(client.headers),
          }
        },
      },
    },
  }
}
