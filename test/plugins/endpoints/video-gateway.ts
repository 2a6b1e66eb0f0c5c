/**
 * The endpoints of video tasks on a real server, with tasks that are kept in memory: a submission that passes the checks of its
 * operation becomes a task at once.
 */
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Endpoint, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import createResults from '../../../plugins/endpoints/task-results/index.js'
import createGenerations from '../../../plugins/endpoints/video-generations/index.js'
import createVideos from '../../../plugins/endpoints/videos/index.js'
import createVideo from '../../../plugins/operations/video/index.js'
import type {
  TaskList,
  TaskListQuery,
  TaskRecord,
  Tasks,
} from '../../../plugins/services/tasks/index.js'
import { createSigned } from '../../../plugins/services/tasks/signed.js'
import { scriptedGateway } from '../../kernel/http/harness.js'
import { FakeClock } from '../../kit/clock.js'
import { requestId } from '../../kit/fakes.js'

export const bearer = (user = 7) => ({ authorization: `Bearer sk-${user}` })
export const createdAt = 1_712_158_011_464

export function video(fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    ...{ taskId: 'task_1', requestId, userId: 7, operation: 'video', action: 'generate' },
    ...{ platform: 'sora', model: 'sora-2', group: 'default', state: 'queued', word: '' },
    ...{ percent: 0, reason: '', results: [], request: {}, raw: {}, charged: 50_000 },
    ...{ createdAt, startedAt: 0, finishedAt: 0, updatedAt: createdAt },
    ...fields,
  }
}

/** Users 7 and 8 have the keys `sk-7` and `sk-8`. */
export async function videoGateway(t: Test, records: TaskRecord[] = []) {
  const clock = new FakeClock()
  const requests: RelayRequest[] = []
  const reads: [string, number, string | undefined][] = []
  const secrets = { derive: () => Buffer.alloc(32, 1) }
  const signed = createSigned({ secrets, clock, serverAddress: () => undefined })
  const of = (userId: number, id: string) =>
    records.find((one) => one.userId === userId && one.taskId === id)
  const tasks = {
    signed,
    async find(userId: number, task: string) {
      const found = of(userId, task)
      if (found === undefined) throw new Refusal('task_not_found', { task })
      return found
    },
    list: async (query: TaskListQuery) => listOf(records, query),
    async remove(userId: number, id: string) {
      const found = of(userId, id)!
      records.splice(records.indexOf(found), 1)
      return found
    },
    async content(taskId: string, index: number, { range }: { readonly range?: string }) {
      reads.push([taskId, index, range])
      const headers = { 'content-type': 'video/mp4', 'content-length': '4' }
      return { status: range === undefined ? 200 : 206, headers, body: bytesOf('clip') }
    },
  } as Partial<Tasks>
  const identity = {
    byKey(key: string) {
      const id = Number(/^sk-([78])$/.exec(key)?.[1])
      if (!id) throw new Refusal('invalid_api_key')
      return { user: { id } }
    },
  }
  const kit = { services: { identity, tasks } } as unknown as Kit<'identity' | 'tasks'>
  const operation = createVideo()
  const gateway = await scriptedGateway(t, {
    maxRequestBodyBytes: 256 * 1024 * 1024,
    endpoints: [
      loaded('videos', createVideos(kit)),
      loaded('video-generations', createGenerations(kit)),
      loaded('task-results', createResults(kit)),
    ],
    async relay({ request, sink }) {
      requests.push(request)
      const { model } = operation.check(request.body)
      const fields = jsonOf(request.body)
      const made = video({
        taskId: `task_${records.length + 1}`,
        model,
        request: fields,
        action: String(fields.action ?? 'generate'),
        ...(request.task?.originId !== undefined && { originId: request.task.originId }),
      })
      records.push(made)
      const shown = request.dialect!.answer(made as unknown as JsonObject)
      sink.send(200, { 'content-type': 'application/json' }, JSON.stringify(shown))
    },
  })
  return { ...gateway, requests, reads, records, signed, clock }
}

/** As the service lists them. */
function listOf(records: readonly TaskRecord[], query: TaskListQuery): TaskList {
  const { userId, operation, after, oldestFirst, limit } = query
  const own = records.filter((one) => one.userId === userId && one.operation === operation)
  const ordered = oldestFirst ? own : own.toReversed()
  const behind = after === undefined ? 0 : ordered.findIndex((one) => one.taskId === after) + 1
  if (after !== undefined && behind === 0) throw new Refusal('task_not_found', { task: after })
  const tasks = ordered.slice(behind, behind + limit)
  return { tasks, hasMore: ordered.length > behind + limit }
}

function loaded(name: string, endpoint: Endpoint): { manifest: Manifest; endpoint: Endpoint } {
  const file = new URL(`../../../plugins/endpoints/${name}/manifest.json`, import.meta.url)
  return { manifest: JSON.parse(readFileSync(file, 'utf8')), endpoint }
}

function bytesOf(text: string): ByteSource {
  return {
    consume(consumer) {
      consumer.data(Buffer.from(text))
      consumer.end()
    },
    resume() {},
    abort() {},
  }
}
