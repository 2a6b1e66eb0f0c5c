/**
 * A whole gateway with one channel of a built-in task type, whose upstream is a strict one on a real server. No answer to a client
 * may hold the id an upstream knows a task by, nor the key of the channel: every answer is looked at.
 */
import type { Knex } from 'knex'
import type { Test } from 'tap'
import { startGateway, type TestGateway } from './gateway.js'
import { type StrictUpstream, type TaskServer, taskServer } from './task-server.js'

export interface PlatformOptions<Upstream> {
  readonly upstream: Upstream
  /** Fields of the channel beside its address: type, key, models, settings. */
  readonly channel: Readonly<Record<string, unknown>> & { readonly key: string }
  /** Options by key: `ModelPrice`, `TaskRateCards`. */
  readonly options: Readonly<Record<string, object | string | number | boolean>>
}

interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the forms differ, which is what is tested.
  readonly body: any
}

interface CallOptions {
  readonly body?: unknown
  /** Absent: the key of root's token. Null: none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** What the books hold of one task. Quota. */
interface Books {
  /** Transfers by kind: what was charged at submission, and the correction. Absent: none. */
  readonly settle?: bigint
  readonly final?: bigint
  /** Rows of the usage log: type and quota. */
  readonly logs: readonly (readonly [type: number, quota: bigint])[]
  readonly state: string
  readonly billing: string
  readonly charged: bigint | null
  readonly cost: bigint | null
}

export interface Platform<Upstream> extends TestGateway {
  readonly upstream: Upstream
  readonly server: TaskServer
  readonly channelId: number
  readonly knex: Knex
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Whatever is under way is asked for, first in batches. */
  round(): Promise<void>
  books(taskId: string): Promise<Books>
  /** The id its upstream knows it by. */
  ref(taskId: string): Promise<string>
  /** What was spent since it was started. */
  spent(): Promise<bigint>
}

export async function taskPlatform<Upstream extends StrictUpstream>(
  t: Test,
  { upstream, channel, options }: PlatformOptions<Upstream>,
): Promise<Platform<Upstream>> {
  const server = await taskServer(t, upstream)
  const started = await startGateway(t)
  const { admin, gateway, key: own, url } = started
  for (const [name, value] of Object.entries(options)) await admin.option(name, value)
  const channelId = await admin.channel({
    ...{ name: 'platform', base_url: server.url, group: 'default' },
    ...channel,
  })
  const knex = gateway.service('database').knex as Knex
  const funds = await started.balance()

  async function mustHideUpstream(path: string, text: string): Promise<void> {
    const refs: string[] = await knex('tasks').whereNotNull('upstream_ref').pluck('upstream_ref')
    const secrets = [...refs, ...channel.key.split('|').filter((part) => part.length > 2)]
    const shown = secrets.filter((secret) => text.includes(secret))
    t.strictSame(shown, [], `nothing of the upstream in the answer of ${path}`)
  }

  return {
    ...started,
    ...{ upstream, server, channelId, knex },
    async call(method, path, { body, key = own, headers = {} } = {}) {
      const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      await gateway.idle()
      await mustHideUpstream(`${method} ${path}`, text)
      return { status: response.status, text, body: jsonIn(text) }
    },
    async round() {
      await gateway.idle()
      await knex('tasks')
        .whereNotNull('poll_at')
        .update({ poll_at: new Date(0) })
      const tasks = gateway.service('tasks')
      await tasks.round()
      // A round of the gateway's own may have been under way, and have asked too early.
      const left: string[] = await knex('tasks').where({ billing: 'charged' }).pluck('task_id')
      for (const id of left) await tasks.poll(id).catch(unlessEnded)
    },
    async books(taskId) {
      await gateway.idle()
      const task = await knex('tasks').where({ task_id: taskId }).first()
      const { request_id } = task
      const transfers = await knex('transfers').where({ request_id }).orderBy('id')
      const logs = await knex('usage_log').where({ request_id }).orderBy('created_at')
      const of = (kind: string) => {
        const found = transfers.find((one) => one.kind === kind)
        if (found === undefined) return undefined
        // What goes back to the user is negative.
        return BigInt(found.amount) * (found.debit_account > 0 ? 1n : -1n)
      }
      return {
        settle: of('settle'),
        final: of('task_final'),
        logs: logs.map(({ type, quota }) => [Number(type), BigInt(quota)] as const),
        ...{ state: task.state, billing: task.billing },
        ...{ charged: bigOf(task.charged), cost: bigOf(task.cost) },
      }
    },
    async ref(taskId) {
      return (await knex('tasks').where({ task_id: taskId }).first()).upstream_ref
    },
    spent: async () => funds - (await started.balance()),
  }
}

function unlessEnded(error: { readonly code?: string }): void {
  if (error.code !== 'task_ended') throw error
}

function bigOf(value: string | bigint | null): bigint | null {
  return value === null ? null : BigInt(value)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
