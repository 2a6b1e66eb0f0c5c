/**
 * Paths client libraries know and this gateway does not serve: the refusal has their format, and
 * nothing is relayed. The caller learns nothing, so no key is needed.
 */
import type { Endpoint, EndpointRoute } from '../../../kernel/contract/endpoint.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

/** Areas of the manifest by the methods in the names of their routes. */
const areas: Readonly<Record<string, readonly string[]>> = {
  files: ['get', 'post', 'delete'],
  'fine-tuning': ['get', 'post', 'delete'],
  'fine-tunes': ['get', 'post', 'delete'],
  'image-variations': ['post'],
  models: ['delete'],
  assistants: ['get', 'post', 'delete'],
  threads: ['get', 'post', 'delete'],
  batches: ['get', 'post'],
  'vector-stores': ['get', 'post', 'delete'],
  uploads: ['post'],
  conversations: ['get', 'post', 'delete'],
  containers: ['get', 'post', 'delete'],
  evals: ['get', 'post', 'delete'],
  skills: ['get', 'post', 'delete'],
  'stored-chat': ['get', 'post', 'delete'],
  'stored-chat-messages': ['get'],
  'message-batches': ['get', 'post', 'delete'],
  'stored-responses': ['get', 'delete'],
  'response-cancel': ['post'],
  'response-items': ['get'],
  'response-tokens': ['post'],
  'generative-files': ['get', 'post', 'delete'],
  'generative-register': ['post'],
  'generative-upload': ['post'],
  'generative-cache': ['get', 'post', 'patch', 'delete'],
  'generative-tuned': ['get', 'post', 'patch', 'delete'],
  'generative-stores': ['get', 'post', 'delete'],
  'generative-batches': ['get', 'post', 'delete'],
  'generative-operations': ['get'],
  'generative-interactions': ['get', 'post', 'delete'],
  'generative-embed-later': ['post'],
  'generative-batch': ['post'],
  'generative-predict': ['post'],
  'generative-predict-later': ['post'],
}

const unserved: EndpointRoute = {
  kind: 'answer',
  async answer() {
    throw new Refusal('api_not_implemented')
  },
}

export default function create(): Endpoint {
  const names = Object.entries(areas).flatMap(([area, methods]) =>
    methods.map((method) => `${area}-${method}`),
  )
  return { routes: Object.fromEntries(names.map((name) => [name, unserved])) }
}
