/** `POST /v1/responses/compact`: reads the request and sends it down the line (FMT-16). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'

export default function create(): Endpoint {
  return { routes: { create: jsonRelay('compact', 'chat') } }
}
