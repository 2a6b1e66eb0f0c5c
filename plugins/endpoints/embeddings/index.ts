/** `POST /v1/embeddings`, and the older path that names the model: reads the request and sends it down the line (SVC-3, FMT-16). */
import type { Ask, Endpoint, Inbound } from '../../../kernel/contract/endpoint.js'
import { bearerCredential } from '../../../kernel/http/credential.js'
import { requireJson } from '../../../kernel/http/media-type.js'
import { readJson } from '../../../kernel/wire/json.js'

export default function create(): Endpoint {
  return {
    routes: {
      create: { kind: 'relay', receive },
      createByEngine: {
        kind: 'relay',
        receive: (inbound) => ({
          ...receive(inbound),
          said: { model: inbound.params.model ?? '', stream: false },
        }),
      },
    },
  }
}

function receive({ client, payload }: Inbound): Ask {
  requireJson(client.headers)
  return {
    operation: 'embeddings',
    format: 'chat',
    body: { kind: 'json', value: readJson(payload), bytes: payload },
    credential: bearerCredential(client.headers),
  }
}
