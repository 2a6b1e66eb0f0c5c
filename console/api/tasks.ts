/** Media tasks: one's own or everybody's, what became of them, and what can be done with one. */
import type { Scope } from './data.js'
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

/** What only admins are shown is missing from one's own. */
export type Task = Schemas['OwnTask'] & Partial<Schemas['AnyTask']>
export type TaskDetails = Omit<Schemas['OwnTaskDetails'], 'kept'> &
  Partial<Schemas['OwnTaskDetails'] & Schemas['AnyTaskDetails']>
export type StoredFile = Schemas['StoredFile']
export type TaskResult = Schemas['TaskMade']
export type TaskStep = Schemas['TaskStep']
export type TaskState = Task['state']

/** Zeros and empty texts stand for any. */
export interface TaskFilter {
  readonly state: string
  readonly platform: string
  readonly model: string
  readonly task_id: string
  readonly from: number
  readonly to: number
  readonly username: string
  readonly channel_id: number
}

export function readTasks(
  scope: Scope,
  { username, channel_id, ...query }: PageQuery & TaskFilter,
  signal?: AbortSignal,
): Promise<Page<Task>> {
  return scope === 'own'
    ? request('GET', '/api/task/self', { query, signal })
    : request('GET', '/api/task/', {
        query: { ...query, username, channel_id: channel_id || undefined },
        signal,
      })
}

export function readTask(scope: Scope, taskId: string, signal?: AbortSignal): Promise<TaskDetails> {
  return request('GET', pathOf(scope, taskId), { signal })
}

/** Admins only. */
export function pollTask(taskId: string): Promise<TaskDetails> {
  return request('POST', `${pathOf('all', taskId)}/poll`)
}

export function cancelTask(scope: Scope, taskId: string): Promise<TaskDetails> {
  return request('POST', `${pathOf(scope, taskId)}/cancel`)
}

/** The caller's own. */
export async function removeTask(taskId: string): Promise<void> {
  await request('DELETE', pathOf('own', taskId))
}

function pathOf(scope: Scope, taskId: string): string {
  const id = encodeURIComponent(taskId)
  return scope === 'own' ? `/api/task/self/${id}` : `/api/task/${id}`
}
