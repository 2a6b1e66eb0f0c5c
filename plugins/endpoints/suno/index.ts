/**
 * `/suno/…`: what clients of Suno-API call (SVC-3). Submissions go down the line as the operation `music`; tasks are read from
 * the rows of their owner and written in the envelope of that protocol.
 */
import type { Endpoint, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential, jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import { errorFormat } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { enveloped, taskObject } from './task-object.js'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services

  async function userIdOf({ client }: Inbound): Promise<number> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user } = await identity.byKey(credential.key, client.address)
    return user.id
  }

  return {
    routes: {
      submit: { kind: 'relay', receive: relayOf },
      fetch: {
        kind: 'answer',
        async answer(inbound) {
          const record = await tasks.find(await userIdOf(inbound), inbound.params.id ?? '')
          if (record.operation !== 'music') {
            throw new Refusal('task_not_found', { task: record.taskId })
          }
          return { status: 200, body: enveloped(taskObject(record)) }
        },
      },
      list: {
        kind: 'answer',
        async answer(inbound) {
          const ids = idsIn(jsonBody(inbound).value.ids)
          const found = await tasks.findAll(await userIdOf(inbound), ids)
          const own = found.filter(({ operation }) => operation === 'music')
          return { status: 200, body: enveloped(own.map(taskObject)) }
        },
      },
    },
  }
}

const actionPattern = /^[a-z][a-z_-]{0,31}$/

function relayOf(inbound: Inbound): RelayRequest {
  const action = (inbound.params.action ?? '').toLowerCase()
  if (!actionPattern.test(action)) {
    throw new Refusal('not_found', { method: inbound.method, path: inbound.path.slice(0, 200) })
  }
  const { notify_hook: address, ...fields } = jsonBody(inbound).value
  return {
    operation: 'music',
    format: errorFormat('suno'),
    body: { kind: 'json', value: { ...fields, model: `suno_${action}`, action } },
    credential: inbound.credential ?? bearerCredential(inbound.client.headers),
    task: { ...originIn(fields), ...addressIn(address) },
    dialect: {
      optional: [],
      answer: (record) => enveloped((record as unknown as TaskRecord).taskId),
    },
  }
}

/** A song is continued where it was made. */
function originIn({ task_id: originId, continue_clip_id: clip }: JsonObject) {
  const isNamed = typeof originId === 'string' && originId !== ''
  if (!isNamed && typeof clip === 'string' && clip !== '') {
    throw invalidField('task_id', 'must name the task of the clip that is continued')
  }
  return isNamed ? { originId } : {}
}

function addressIn(address: Json | undefined) {
  if (address === undefined || address === null || address === '') return {}
  if (typeof address !== 'string') throw invalidField('notify_hook', 'must be a string')
  return { callbackUrl: address, callbackField: 'notify_hook' }
}

const idsMax = 100

function idsIn(ids: Json | undefined): readonly string[] {
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) {
    throw invalidField('ids', 'must be an array of strings')
  }
  if (ids.length > idsMax) throw invalidField('ids', `must be at most ${idsMax}`)
  return ids as readonly string[]
}
