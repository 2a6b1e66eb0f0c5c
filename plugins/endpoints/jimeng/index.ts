/**
 * `/jimeng/?Action=…`: what clients of Jimeng call (SVC-3), one path for both of its actions. Submissions go down the line as the
 * operation `video`, whoever serves them in the end; tasks are read from the rows of their owner and written in Jimeng's words.
 */
import type {
  Endpoint,
  EndpointAnswer,
  Inbound,
  RelayRequest,
} from '../../../kernel/contract/endpoint.js'
import type { Json } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential, jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import { errorFormat } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { videoOf } from './request.js'
import { accepted, resultObject } from './task-object.js'

const submission = 'CVSync2AsyncSubmitTask'
const result = 'CVSync2AsyncGetResult'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services

  async function read({ client }: Inbound, taskId: Json | undefined): Promise<EndpointAnswer> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    if (typeof taskId !== 'string') throw invalidField('task_id', 'must be a string')
    const { user } = await identity.byKey(credential.key, client.address)
    const record = await tasks.find(user.id, taskId)
    if (record.operation !== 'video') throw new Refusal('task_not_found', { task: record.taskId })
    return { status: 200, body: resultObject(record) }
  }

  return {
    routes: {
      post: {
        kind: 'relay',
        receive: (inbound) =>
          actionOf(inbound, [submission, result]) === submission
            ? submitted(inbound)
            : read(inbound, jsonBody(inbound).value.task_id),
      },
      read: {
        kind: 'answer',
        async answer(inbound) {
          actionOf(inbound, [result])
          return read(inbound, inbound.client.query.task_id)
        },
      },
    },
  }
}

function submitted(inbound: Inbound): RelayRequest {
  return {
    operation: 'video',
    format: errorFormat('jimeng'),
    body: { kind: 'json', value: videoOf(jsonBody(inbound).value) },
    credential: inbound.credential ?? bearerCredential(inbound.client.headers),
    task: {},
    dialect: { optional: [], answer: (record) => accepted(record as unknown as TaskRecord) },
  }
}

function actionOf({ client }: Inbound, known: readonly string[]): string {
  const { Action: action } = client.query
  if (action !== undefined && known.includes(action)) return action
  throw invalidField('Action', `must be ${known.join(' or ')}`)
}
