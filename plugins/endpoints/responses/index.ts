/** `POST /v1/responses`: reads the request and sends it down the line. Answers are not kept here, so none can be fetched. */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'

export default function create(): Endpoint {
  return { routes: { create: jsonRelay('chat', 'responses') } }
}
