/** One task type on the bench: its adapter, a channel to call it through, and calls whose inputs nobody can change. */
import assert from 'node:assert/strict'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type {
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import type { TaskAdapter, TaskContext, TaskRef } from '../../kernel/contract/task.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import { created, frozen } from './kit.js'
import { assertAtHosts, assertKeyInHeaders } from './outgoing-request.js'
import { key } from './refusals.js'
import type { TaskAnswer, TaskRequestCase, TaskSubject } from './task.js'

export interface TaskBench {
  readonly adapter: TaskAdapter
  readonly operation: OperationName
  readonly channel: ChannelView
  readonly credentials: Credentials
  /** As the manifest names them. */
  readonly hosts: readonly string[]
}

export const now = 1_767_225_600_000

export function taskBench(subject: TaskSubject): TaskBench {
  const { hosts } = readManifest(subject.manifest, 'manifest.json')
  const channel = frozen(channelOf(subject))
  return {
    ...{ channel, hosts },
    ...adapterOf(created(subject), subject, channel),
    credentials: frozen(subject.credentials ?? { key }),
  }
}

function channelOf({ manifest, channel }: TaskSubject): ChannelView {
  const { channelTypes, channelSettings, serves } = readManifest(manifest, 'manifest.json')
  const [first] = channelTypes
  const defaults = Object.fromEntries(
    channelSettings
      .filter((field) => field.default !== undefined)
      .map((field) => [field.name, field.default]),
  )
  const type = first?.id ?? serves?.[0]
  return {
    ...{ id: 1, type: typeof type === 'number' ? type : 0 },
    baseUrl: first?.baseUrl || 'https://upstream.example',
    ...channel,
    settings: { ...defaults, ...channel?.settings },
  }
}

/** The first of its adapters that serves the channel and the model of the first request. */
function adapterOf(
  { operations }: Provider,
  { operation: named, requests }: TaskSubject,
  channel: ChannelView,
): Pick<TaskBench, 'adapter' | 'operation'> {
  const [only] = Object.keys(operations) as OperationName[]
  const operation = named ?? only!
  const adapters = [operations[operation] ?? []].flat()
  const model = requests[0]?.body.model ?? ''
  const adapter = adapters.find((one) => one.serves?.(channel, model) ?? true)
  assert.ok(adapter, `there is an adapter that serves the channel and the model "${model}"`)
  assert.equal(adapter.format, 'task', 'the adapter has the form "task"')
  return { adapter: adapter as TaskAdapter, operation }
}

/** The same twice, since a pure verb has no memory. */
export function twice<T>(call: () => T): T {
  const first = call()
  assert.deepEqual(call(), first, 'the same call returns the same again')
  return first
}

type Shaped = Pick<TaskRequestCase, 'body' | 'context'>

export function shaped({ adapter, channel }: TaskBench, { body, context = {} }: Shaped): Body {
  const given = frozen<Body>({ kind: 'json', value: body })
  const context_ = frozen<TaskContext>(context)
  return twice(() => adapter.shape(given, channel, String(body.model), context_))
}

/** Undefined: it was refused, by a field. Whatever else is thrown passes. */
export function shapedOrRefused(bench: TaskBench, request: Shaped): Body | undefined {
  try {
    return shaped(bench, request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    assert.notEqual(error.param, '', `a refusal names the field: ${error.message}`)
    return undefined
  }
}

export function addressed(bench: TaskBench, wire: Body, model: string): UpstreamRequest {
  const { adapter, channel, credentials } = bench
  const context = frozen({ now, forwarded: { headers: {} }, model, stream: false })
  return checkedRequest(
    bench,
    twice(() => adapter.address(frozen(wire), channel, credentials, context)),
  )
}

/** A request of any verb, as it may go out. */
export function checkedRequest(bench: TaskBench, request: UpstreamRequest): UpstreamRequest {
  assertAtHosts(request, bench.channel, bench.hosts)
  assertKeyInHeaders(request, bench.credentials)
  return request
}

export function assertAddress(
  { channel: { baseUrl } }: TaskBench,
  { method, url }: UpstreamRequest,
  expected: { readonly method?: string; readonly url: string },
  usual: string,
): void {
  const whole = expected.url.startsWith('/') ? `${baseUrl}${expected.url}` : expected.url
  assert.equal(`${method} ${url}`, `${expected.method ?? usual} ${whole}`, 'where it goes')
}

/** As the gateway names a task to the adapter. */
export function refOf(task: Partial<TaskRef>): TaskRef {
  return frozen({ ref: '', action: 'generate', model: 'model', keep: {}, ...task })
}

export function answerOf(answer: TaskAnswer): WholeAnswer {
  if (isWhole(answer)) return frozen(answer)
  return jsonAnswer(answer)
}

export function jsonAnswer(value: unknown): WholeAnswer {
  return bytesAnswer(Buffer.from(JSON.stringify(value)), 'application/json')
}

export function bytesAnswer(body: Buffer, type = 'text/html', status = 200): WholeAnswer {
  return frozen({ status, headers: { 'content-type': type }, body })
}

function isWhole(answer: TaskAnswer): answer is WholeAnswer {
  return 'body' in answer && Buffer.isBuffer(answer.body)
}

/** The members of `expected`, and no others. */
export function membersOf(found: object, expected: object): JsonObject {
  const members = found as JsonObject
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, members[name]]),
  ) as JsonObject
}

/** An error that names what it was tried with. */
export function naming(where: string, run: () => void): void {
  try {
    run()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`where ${where}: ${reason}`, { cause })
  }
}
