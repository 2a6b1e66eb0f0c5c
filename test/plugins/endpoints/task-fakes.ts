/** Stand-ins for what the endpoints of media tasks reach: whose key it is, rows of tasks, and results with signed addresses. */
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Endpoint, Inbound, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Content, TaskRecord, Tasks } from '../../../plugins/services/tasks/index.js'
import { requestId } from '../../kit/fakes.js'

export function record(fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: 'task_1',
    requestId,
    userId: 7,
    operation: 'midjourney',
    action: 'imagine',
    platform: 'midjourney',
    model: 'mj_imagine',
    group: 'default',
    state: 'queued',
    word: '',
    percent: 0,
    reason: '',
    results: [],
    request: {},
    raw: {},
    charged: 50_000,
    createdAt: 1_712_158_011_464,
    startedAt: 0,
    finishedAt: 0,
    updatedAt: 0,
    ...fields,
  }
}

export function inboundOf(fields: {
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}): Inbound {
  return {
    requestId,
    method: fields.body === undefined ? 'GET' : 'POST',
    path: '/path',
    params: fields.params ?? {},
    client: {
      headers: { authorization: 'Bearer sk-7', host: 'gateway.example', ...fields.headers },
      query: fields.query ?? {},
      address: '192.0.2.1',
    },
    secure: true,
    payload: Buffer.from(fields.body === undefined ? '' : JSON.stringify(fields.body)),
  }
}

/** `sk-7` is the key of user 7. Addresses are signed with the name of the task. */
export function kitOf(
  records: readonly TaskRecord[],
  options: Readonly<Record<string, boolean>> = {},
  content: Partial<Content> & { readonly text?: string } = {},
): Kit<'identity' | 'tasks'> {
  const owned = (userId: number, id: string) =>
    records.find((one) => one.userId === userId && one.taskId === id)
  const tasks = {
    async find(userId: number, task: string) {
      const found = owned(userId, task)
      if (found === undefined) throw new Refusal('task_not_found', { task })
      return found
    },
    findAll: async (userId: number, ids: readonly string[]) =>
      ids.flatMap((id) => owned(userId, id) ?? []),
    signed: {
      of: ({ taskId, userId }: TaskRecord, index: number) =>
        `/somewhere/${taskId}/${index}?uid=${userId}&expires=9&signature=${taskId}-${index}`,
      check(taskId: string, index: number, query: Readonly<Record<string, string>>) {
        if (query.signature !== `${taskId}-${index}`) throw new Refusal('signature_invalid')
        return { userId: 7 }
      },
    },
    content: async (_: string, index: number, { range = 'all' }): Promise<Content> => ({
      status: 200,
      headers: { 'x-read': `${index} ${range}` },
      body: bytesOf(content.text ?? ''),
      ...content,
    }),
  } as unknown as Tasks
  const identity = {
    byKey: (key: string) => {
      if (key !== 'sk-7') throw new Refusal('invalid_api_key')
      return { user: { id: 7 } }
    },
  }
  const settings = { boolean: (name: string) => options[name] ?? defaults[name] }
  return { services: { identity, tasks }, settings } as unknown as Kit<'identity' | 'tasks'>
}

/** As the manifest has them. */
const defaults: Readonly<Record<string, boolean>> = {
  notify: false,
  accountFilter: false,
  modeClear: false,
  forwardUrl: true,
  actionCheckSuccess: true,
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

export async function received(
  { routes }: Endpoint,
  name: string,
  inbound: Inbound,
): Promise<RelayRequest> {
  const route = routes[name]
  if (route?.kind !== 'relay') throw new Error(`"${name}" is no relay`)
  const made = await route.receive(inbound)
  if (!('operation' in made)) throw new Error(`"${name}" answered by itself`)
  return made
}

// biome-ignore lint/suspicious/noExplicitAny: the forms differ, which is what is tested.
export async function answered({ routes }: Endpoint, name: string, inbound: Inbound): Promise<any> {
  const route = routes[name]
  if (route?.kind !== 'answer' && route?.kind !== 'relay') {
    throw new Error(`"${name}" answers nothing`)
  }
  const made = await (route.kind === 'answer' ? route.answer(inbound) : route.receive(inbound))
  if ('operation' in made) throw new Error(`"${name}" goes down the line`)
  const { status, body } = made
  if (status !== 200) throw new Error(`it answered ${status}`)
  return JSON.parse(JSON.stringify(body))
}

export function bodyOf({ body }: RelayRequest): JsonObject {
  return body.kind === 'json' ? body.value : {}
}
