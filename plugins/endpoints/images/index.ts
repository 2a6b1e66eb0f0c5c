/**
 * `POST /v1/images/generations` and `/edits`, `POST /v1/edits`: reads JSON or a form and sends it down the line (SVC-3). Images of
 * an upstream that works asynchronously can be read later as well, by the id of their task.
 */

import type { Body } from '../../../kernel/contract/body.js'
import type {
  Endpoint,
  EndpointAnswer,
  Inbound,
  RelayRequest,
} from '../../../kernel/contract/endpoint.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { isFormType, readForm } from '../../../kernel/toolkit/body/index.js'
import { bearerCredential, jsonBody, jsonRelay } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { withTrueTypes } from '../../../kernel/toolkit/operation/index.js'
import { imagesObject } from './images-object.js'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services

  async function read({ client, params }: Inbound): Promise<EndpointAnswer> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user } = await identity.byKey(credential.key, client.address)
    const id = params.task ?? ''
    const found = await tasks.find(user.id, id)
    if (!isPictures(found.operation)) throw new Refusal('task_not_found', { task: id })
    return { status: 200, body: imagesObject(found) }
  }

  const edit = { kind: 'relay', receive: receiveEdit } as const
  return {
    routes: {
      generate: jsonRelay('images', 'chat'),
      read: { kind: 'answer', answer: read },
      edit,
      editAtOldPath: edit,
    },
  }
}

function isPictures(operation: string): boolean {
  return operation === 'images' || operation === 'edits'
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
