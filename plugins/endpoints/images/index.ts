/** `POST /v1/images/generations` and `/edits`, `POST /v1/edits`: reads JSON or a form and sends it down the line (SVC-3). */
import type { Ask, Endpoint, Inbound } from '../../../kernel/contract/endpoint.js'
import type { Body } from '../../../kernel/contract/exchange.js'
import { Refusal } from '../../../kernel/errors.js'
import { bearerCredential } from '../../../kernel/http/credential.js'
import { requireJson } from '../../../kernel/http/media-type.js'
import { isFormType, readForm } from '../../../kernel/wire/form.js'
import { withTrueTypes } from '../../../kernel/wire/image-kind.js'
import { readJson } from '../../../kernel/wire/json.js'

export default function create(): Endpoint {
  const edit = { kind: 'relay', receive: (inbound: Inbound) => ask('edits', inbound) } as const
  return {
    routes: {
      generate: { kind: 'relay', receive: (inbound) => ask('images', inbound) },
      edit,
      editAtOldPath: edit,
    },
  }
}

function ask(operation: 'images' | 'edits', inbound: Inbound): Ask {
  const { headers } = inbound.client
  const body = operation === 'edits' ? formOrJson(inbound) : json(inbound)
  return { operation, format: 'chat', body, credential: bearerCredential(headers) }
}

function formOrJson(inbound: Inbound): Body {
  const type = inbound.client.headers['content-type'] ?? ''
  if (isFormType(type)) return withTrueTypes(readForm(inbound.payload, type))
  if (type === '' || jsonType.test(type)) return json(inbound)
  throw new Refusal('unsupported_media_type', {
    expected: 'multipart/form-data or application/json',
    given: type.slice(0, 100),
    param: 'content-type',
  })
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

function json({ client, payload }: Inbound): Body {
  requireJson(client.headers)
  return { kind: 'json', value: readJson(payload), bytes: payload }
}
