/** `POST /v1/embeddings`, and the older path that names the model: reads the request and sends it down the line (SVC-3, FMT-16). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { bearerCredential, jsonBody, jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'

export default function create(): Endpoint {
  return {
    routes: {
      create: jsonRelay('embeddings', 'chat'),
      createByEngine: {
        kind: 'relay',
        receive: (inbound) => ({
          operation: 'embeddings',
          format: 'chat',
          body: jsonBody(inbound),
          credential: bearerCredential(inbound.client.headers),
          hints: { model: inbound.params.model ?? '', stream: false },
        }),
      },
    },
  }
}
