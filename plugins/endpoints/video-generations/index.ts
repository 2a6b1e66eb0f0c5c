/** `POST /v1/video/generations` and `GET /v1/video/generations/{task}`: video tasks in the family's form (SVC-3). */
import type { Endpoint, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential, jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { clientTask } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { fetched, submitted } from './answers.js'
import { videoBody } from './body.js'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services

  async function ownTask({ client, params }: Inbound): Promise<TaskRecord> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user } = await identity.byKey(credential.key, client.address)
    const id = params.task ?? ''
    const found = await tasks.find(user.id, id)
    if (found.operation !== 'video') throw new Refusal('task_not_found', { task: id })
    return found
  }

  return {
    routes: {
      submit: { kind: 'relay', receive },
      fetch: {
        kind: 'answer',
        answer: async (inbound) => ({ status: 200, body: fetched(await ownTask(inbound)) }),
      },
    },
  }
}

function receive(inbound: Inbound): RelayRequest {
  const { body, task } = clientTask(jsonBody(inbound))
  return {
    operation: 'video',
    format: 'chat',
    body: videoBody(body),
    credential: bearerCredential(inbound.client.headers),
    dialect: { optional: [], answer: (record) => submitted(record as unknown as TaskRecord) },
    task,
  }
}
