/**
 * `/mj/…`: what clients of midjourney-proxy call, with and without a speed before it (SVC-3). Submissions go down the line as the
 * operation `midjourney`; tasks are read from the rows of their owner and written in the protocol's words.
 */
import type {
  Endpoint,
  EndpointAnswer,
  EndpointRoute,
  Inbound,
} from '../../../kernel/contract/endpoint.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { credentialOf, userIdOf } from './caller.js'
import { openPicture, pictureAddress } from './picture.js'
import { seedOf } from './seed.js'
import { relayOf, type Speed } from './submit.js'
import { taskObject } from './task-object.js'

/** By the ending of the names of routes. */
const speeds: Readonly<Record<string, Speed | undefined>> = {
  '': undefined,
  '-fast': 'fast',
  '-relax': 'relax',
  '-turbo': 'turbo',
}

export default function create({ services, settings }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services
  const caller = ({ client }: Pick<Inbound, 'client'>) => credentialOf(client)

  function submission(speed: Speed | undefined, named?: string): EndpointRoute {
    return {
      kind: 'relay',
      caller,
      receive: (inbound) => relayOf(inbound, named ?? inbound.params.action ?? '', speed, settings),
    }
  }

  function shown(record: TaskRecord, inbound: Inbound) {
    return taskObject(record, pictureAddress(tasks, settings.boolean('forwardUrl'), inbound))
  }

  async function ownTask({ client, params }: Inbound): Promise<TaskRecord> {
    const found = await tasks.find(await userIdOf(client, identity), params.id ?? '')
    if (found.operation === 'midjourney') return found
    throw new Refusal('task_not_found', { task: found.taskId })
  }

  const fetched = answering(async (inbound) => ({
    status: 200,
    body: shown(await ownTask(inbound), inbound),
  }))
  const seed = answering(async (inbound) => seedOf(await ownTask(inbound), tasks))
  const listed = answering(async (inbound) => {
    const ids = idsIn(jsonBody(inbound).value.ids)
    const found = await tasks.findAll(await userIdOf(inbound.client, identity), ids)
    const own = found.filter(({ operation }) => operation === 'midjourney')
    // The protocol answers with the bare list.
    const body = own.map((record) => shown(record, inbound)) as unknown as JsonObject
    return { status: 200, body }
  })

  function answering(answer: (inbound: Inbound) => Promise<EndpointAnswer>): EndpointRoute {
    return { kind: 'answer', caller, answer }
  }

  const routes = Object.entries(speeds).flatMap(([ending, speed]) => [
    [`submit${ending}`, submission(speed)] as const,
    [`swap${ending}`, submission(speed, 'swap')] as const,
    [`fetch${ending}`, fetched] as const,
    [`seed${ending}`, seed] as const,
    [`list${ending}`, listed] as const,
  ])
  const picture: EndpointRoute = { kind: 'stream', open: (inbound) => openPicture(inbound, tasks) }
  return { routes: { ...Object.fromEntries(routes), picture } }
}

const idsMax = 100

function idsIn(ids: Json | undefined): readonly string[] {
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) {
    throw invalidField('ids', 'must be an array of strings')
  }
  if (ids.length > idsMax) throw invalidField('ids', `must be at most ${idsMax}`)
  return ids as readonly string[]
}
