/** `POST /v1/audio/speech`, `/transcriptions` and `/translations`: text to sound as JSON, sound to text as a form (SVC-3). */

import type { Body } from '../../../kernel/contract/body.js'
import type { Endpoint, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import { isFormType, readForm } from '../../../kernel/toolkit/body/index.js'
import { bearerCredential, jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export default function create(): Endpoint {
  return {
    routes: {
      speak: jsonRelay('speech', 'chat'),
      transcribe: {
        kind: 'relay',
        receive: (inbound) => ask('transcriptions', inbound, form(inbound)),
      },
      translate: {
        kind: 'relay',
        receive: (inbound) => ask('translations', inbound, form(inbound)),
      },
    },
  }
}

function ask(operation: OperationName, { client }: Inbound, body: Body): RelayRequest {
  return { operation, format: 'chat', body, credential: bearerCredential(client.headers) }
}

function form({ client, payload }: Inbound): Body {
  const type = client.headers['content-type'] ?? ''
  if (isFormType(type)) return readForm(payload, type)
  throw new Refusal('unsupported_media_type', {
    expected: 'multipart/form-data',
    given: type.slice(0, 100),
    param: 'content-type',
  })
}
