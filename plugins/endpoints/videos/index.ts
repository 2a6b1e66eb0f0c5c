/** `/v1/videos`: video tasks in the form of OpenAI's Videos API (SVC-3), read from the rows of their owner. */
import type {
  Endpoint,
  EndpointAnswer,
  EndpointStream,
  Inbound,
  RelayRequest,
} from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { changed, type JsonBody } from '../../../kernel/toolkit/body/index.js'
import { bearerCredential } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import { type ClientTask, clientTask } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { bodyOf } from './body.js'
import { createListing, listed } from './listing.js'
import { indexOf } from './variant.js'
import { videoObject } from './video-object.js'

/** What the API makes clips with where a client names no model. */
const defaultModel = 'sora-2'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services
  const listing = createListing(tasks)

  async function userIdOf({ client }: Inbound): Promise<number> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user } = await identity.byKey(credential.key, client.address)
    return user.id
  }

  /** Tasks of other operations have no place here. */
  async function named(inbound: Inbound): Promise<TaskRecord> {
    const id = inbound.params.id ?? ''
    const found = await tasks.find(await userIdOf(inbound), id)
    if (found.operation !== 'video') throw new Refusal('task_not_found', { task: id })
    return found
  }

  async function read(inbound: Inbound): Promise<EndpointAnswer> {
    return answered(videoObject(await named(inbound)))
  }

  async function list(inbound: Inbound): Promise<EndpointAnswer> {
    return answered(listed(await listing(await userIdOf(inbound), inbound.client.query)))
  }

  async function remove(inbound: Inbound): Promise<EndpointAnswer> {
    const { taskId, userId } = await named(inbound)
    await tasks.remove(userId, taskId)
    return answered({ id: taskId, object: 'video.deleted', deleted: true })
  }

  async function content(inbound: Inbound): Promise<EndpointStream> {
    const { query, headers } = inbound.client
    const task = await named(inbound)
    const { range } = headers
    return tasks.content(
      task.taskId,
      indexOf(task, query.variant),
      range === undefined ? {} : { range },
    )
  }

  /** A clip made anew has the model of the first: both are of one channel. */
  async function remix(inbound: Inbound): Promise<RelayRequest> {
    const { body, task } = clientTask(bodyOf(inbound))
    const { prompt } = body.value
    if (typeof prompt !== 'string' || prompt === '') {
      throw invalidField('prompt', 'must be a text that is not empty')
    }
    const { taskId: originId, model } = await named(inbound)
    const remixed = changed(body, { model, ...body.value, action: 'remix' })
    return submission(inbound, { body: remixed, task: { ...task, originId } })
  }

  return {
    routes: {
      create: {
        kind: 'relay',
        receive: (inbound) => submission(inbound, clientTask(withModel(bodyOf(inbound)))),
      },
      remix: { kind: 'relay', receive: remix },
      read: { kind: 'answer', answer: read },
      list: { kind: 'answer', answer: list },
      delete: { kind: 'answer', answer: remove },
      content: { kind: 'stream', open: content },
    },
  }
}

function submission({ client }: Inbound, { body, task }: ClientTask): RelayRequest {
  return {
    operation: 'video',
    format: 'chat',
    body,
    credential: bearerCredential(client.headers),
    dialect: { optional: [], answer: (record) => videoObject(record as unknown as TaskRecord) },
    task,
  }
}

function withModel(body: JsonBody): JsonBody {
  const { model } = body.value
  return model === undefined || model === null
    ? changed(body, { ...body.value, model: defaultModel })
    : body
}

function answered(body: JsonObject): EndpointAnswer {
  return { status: 200, body }
}
