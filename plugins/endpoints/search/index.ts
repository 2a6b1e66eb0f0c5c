/** `POST /v1/alpha/search`, a relay mode of its own: the body goes down the line as it came (FMT-12, FMT-13). */
import type { Endpoint } from '../../../kernel/contract/endpoint.js'
import { jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'

export default function create(): Endpoint {
  return { routes: { 'vendor-alpha-search': jsonRelay('search', 'chat') } }
}
