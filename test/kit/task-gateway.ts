/** A gateway with one channel of the tests' task type: a second costs 1,000 quota at 720p, 2,000 at 1080p. */
import type { Knex } from 'knex'
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.js'
import { type TaskUpstream, taskTypeRoot, taskUpstream } from './task-upstream.js'

export const taskModel = 'clip-1'

export interface TaskGateway extends TestGateway {
  readonly upstream: TaskUpstream
  readonly channelId: number
  readonly knex: Knex
  submit(body: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> }>
  fetch(task: string, key?: string): Promise<{ status: number; body: Record<string, unknown> }>
  /** One round as if every poll were due. */
  round(): Promise<void>
}

export async function taskGateway(
  t: Parameters<typeof startGateway>[0],
  options: TestGatewayOptions & { readonly channel?: Readonly<Record<string, unknown>> } = {},
): Promise<TaskGateway> {
  const upstream = await taskUpstream(t)
  const started = await startGateway(t, {
    ...options,
    roots: [taskTypeRoot, ...(options.roots ?? [])],
  })
  const { admin, gateway, key: own, url } = started
  await admin.option('TaskRateCards', {
    [taskModel]: {
      unit: 'second',
      rates: [
        { when: { resolution: '720p' }, price: '0.002' },
        { when: { resolution: '1080p' }, price: '0.004' },
      ],
    },
  })
  const channelId = await admin.channel({
    ...{ type: 993, name: 'clips', key: 'upstream-key', base_url: upstream.url },
    ...{ models: taskModel, group: 'default' },
    ...options.channel,
  })
  const knex = gateway.service('database').knex as Knex
  const call = async (path: string, init: RequestInit, key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    ...started,
    ...{ upstream, channelId, knex },
    submit: (body) =>
      call('/v1/video/generations', { method: 'POST', body: JSON.stringify(body) }, own),
    fetch: (task, key = own) => call(`/v1/video/generations/${task}`, {}, key),
    async round() {
      await gateway.idle()
      await knex('tasks')
        .whereNotNull('poll_at')
        .update({ poll_at: new Date(0) })
      await gateway.service('tasks').round()
    },
  }
}
