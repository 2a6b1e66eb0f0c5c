/**
 * `/kling/v1/videos/…`: what clients of Kling call (SVC-3). Submissions go down the line as the operation `video`, whoever
 * serves them in the end; tasks are read from the rows of their owner and written in Kling's words.
 */
import type {
  Endpoint,
  EndpointRoute,
  Inbound,
  RelayRequest,
} from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential, jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import { errorFormat } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { videoOf } from './request.js'
import { enveloped } from './task-object.js'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services

  const read: EndpointRoute = {
    kind: 'answer',
    async answer({ client, params }) {
      const credential = bearerCredential(client.headers)
      if (credential.kind !== 'key') throw new Refusal('missing_credential')
      const { user } = await identity.byKey(credential.key, client.address)
      const record = await tasks.find(user.id, params.id ?? '')
      if (record.operation !== 'video') {
        throw new Refusal('task_not_found', { task: record.taskId })
      }
      return { status: 200, body: enveloped(record) }
    },
  }

  return {
    routes: {
      text: { kind: 'relay', receive: ofText },
      image: { kind: 'relay', receive: ofImage },
      readText: read,
      readImage: read,
    },
  }
}

/** A picture in it would make it a request of another kind. */
function ofText(inbound: Inbound): RelayRequest {
  const { image: _, image_tail: __, ...body } = jsonBody(inbound).value
  return relayed(inbound, body)
}

function ofImage(inbound: Inbound): RelayRequest {
  const { value: body } = jsonBody(inbound)
  if (!body.image && !body.image_tail) throw invalidField('image', 'must be sent')
  return relayed(inbound, body)
}

function relayed(inbound: Inbound, body: JsonObject): RelayRequest {
  const { callback_url: callbackUrl } = body
  return {
    operation: 'video',
    format: errorFormat('kling'),
    body: { kind: 'json', value: videoOf(body) },
    credential: inbound.credential ?? bearerCredential(inbound.client.headers),
    task: typeof callbackUrl === 'string' && callbackUrl !== '' ? { callbackUrl } : {},
    dialect: { optional: [], answer: (record) => enveloped(record as unknown as TaskRecord) },
  }
}
