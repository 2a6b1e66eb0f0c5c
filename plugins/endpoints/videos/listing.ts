/** The video tasks of a user as pages that begin behind a task, in either order. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import type { TaskList, Tasks } from '../../services/tasks/index.js'
import { videoObject } from './video-object.js'

const limitMax = 100
const usualLimit = 20

type Query = Readonly<Record<string, string | undefined>>

export function createListing(tasks: Pick<Tasks, 'list'>) {
  return (userId: number, { after, order, limit }: Query): Promise<TaskList> =>
    tasks.list({
      ...{ userId, operation: 'video', limit: limitIn(limit) },
      ...{ after: after || undefined, oldestFirst: isAscending(order) },
    })
}

export function listed({ tasks, hasMore }: TaskList): JsonObject {
  return {
    object: 'list',
    data: tasks.map(videoObject),
    first_id: tasks[0]?.taskId ?? null,
    last_id: tasks.at(-1)?.taskId ?? null,
    has_more: hasMore,
  }
}

function limitIn(text: string | undefined): number {
  if (text === undefined || text === '') return usualLimit
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > limitMax) {
    throw invalidField('limit', `must be a whole number from 1 to ${limitMax}`)
  }
  return limit
}

function isAscending(order: string | undefined): boolean {
  if (order === undefined || order === '' || order === 'desc') return false
  if (order === 'asc') return true
  throw invalidField('order', 'must be asc or desc')
}
