/** The processes that serve this database, for root (API-3). */
import joi from 'joi'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Instance, Instances } from './instances/index.js'
import { deletedCount, type InstanceRecord, instanceList } from './responses.js'

const named = joi.object({ node_name: joi.string().max(128).required() })

export function instanceRoutes(instances: Instances, clock: Clock): Management['routes'] {
  async function list() {
    const now = clock.now()
    return (await instances.list()).map((one) => recordOf(one, instances.staleAfterSeconds, now))
  }

  async function removeStale(): Promise<Answer> {
    const deleted_count = await instances.removeStale()
    const audit = { object: 'stale instances', detail: `${deleted_count} removed` }
    return { answer: true, data: { deleted_count }, audit }
  }

  async function remove({ params }: ManagementRequest): Promise<Answer> {
    const name = params.node_name!
    await instances.remove(name)
    return { answer: true, data: { deleted_count: 1 }, audit: { object: `instance ${name}` } }
  }

  return {
    list: { response: instanceList, handle: list },
    removeStale: { response: deletedCount, handle: removeStale },
    remove: { params: named, response: deletedCount, handle: remove },
  }
}

/** Times in Unix seconds, as everywhere in the family. */
function recordOf(one: Instance, staleAfterSeconds: number, now: number): InstanceRecord {
  return {
    node_name: one.nodeName,
    status: one.online ? 'online' : 'stale',
    stale_after_seconds: staleAfterSeconds,
    started_at: Math.floor(one.startedAt.getTime() / 1000),
    last_seen_at: Math.floor(one.lastSeenAt.getTime() / 1000),
    /** By the clock of this process: the reader's may be wrong. */
    age_seconds: Math.max(0, Math.floor((now - one.lastSeenAt.getTime()) / 1000)),
    info: one.info,
  }
}
