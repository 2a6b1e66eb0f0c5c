/** `POST /v1/images/generations` and `/edits`, `POST /v1/edits`: reads JSON or a form and sends it down the line (SVC-3). */

import type { Body } from '../../../kernel/contract/body.js'
import type { Endpoint, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import { isFormType, readForm } from '../../../kernel/toolkit/body/index.js'
import { bearerCredential, jsonBody, jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { withTrueTypes } from '../../../kernel/toolkit/operation/index.js'

export default function create(): Endpoint {
  const edit = { kind: 'relay', receive: receiveEdit } as const
  return {
    routes: {
      generate: jsonRelay('images', 'chat'),
      edit,
      editAtOldPath: edit,
    },
  }
}

function receiveEdit(inbound: Inbound): RelayRequest {
  const { headers } = inbound.client
  const credential = bearerCredential(headers)
  return { operation: 'edits', format: 'chat', body: formOrJson(inbound), credential }
}

function formOrJson(inbound: Inbound): Body {
  const type = inbound.client.headers['content-type'] ?? ''
  if (isFormType(type)) return withTrueTypes(readForm(inbound.payload, type))
  if (type === '' || jsonType.test(type)) return jsonBody(inbound)
  throw new Refusal('unsupported_media_type', {
    expected: 'multipart/form-data or application/json',
    given: type.slice(0, 100),
    param: 'content-type',
  })
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
