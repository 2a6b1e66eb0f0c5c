/** `POST /v1/rerank`: reads the request and sends it down the line (SVC-3, FMT-16). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'

export default function create(): Endpoint {
  return { routes: { create: jsonRelay('rerank', 'chat') } }
}
