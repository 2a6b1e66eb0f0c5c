/** Media tasks of whoever is signed in: the newest, one, its end, and the bytes of what it made. */
import type { EndpointRoute, EndpointStream, Inbound } from '../../../kernel/contract/endpoint.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { TaskRecord, Tasks } from '../../services/tasks/index.js'
import type { SignedInUser } from './signed-in-user.js'
import { taskObject } from './task-object.js'

type TaskReading = Pick<Tasks, 'find' | 'page' | 'details' | 'cancel' | 'content'>

/** As many as the page shows. */
const listedMax = 20

export function taskRoutes(
  tasks: TaskReading,
  signedIn: SignedInUser,
): Readonly<Record<'tasks' | 'task' | 'cancel' | 'result', EndpointRoute>> {
  /** Rejects with `task_not_found` where it is not theirs. */
  async function own(inbound: Inbound): Promise<TaskRecord> {
    const { id } = await signedIn(inbound)
    return tasks.find(id, inbound.params.task ?? '')
  }

  async function whole(task: TaskRecord) {
    const { cancellable } = await tasks.details(task.taskId)
    return { ...taskObject(task), cancellable }
  }

  /** Only what is under way can be ended. */
  async function listed(task: TaskRecord) {
    if (task.finishedAt > 0) return { ...taskObject(task), cancellable: false }
    return whole(task)
  }

  async function newest(inbound: Inbound) {
    const { id: userId } = await signedIn(inbound)
    const { items } = await tasks.page({ userId, page: 1, pageSize: listedMax })
    return { status: 200, body: { tasks: await Promise.all(items.map(listed)) } }
  }

  async function cancelled(inbound: Inbound) {
    const { taskId } = await own(inbound)
    return { status: 200, body: await whole(await tasks.cancel(taskId)) }
  }

  async function opened(inbound: Inbound): Promise<EndpointStream> {
    const { taskId, results } = await own(inbound)
    const index = results.findIndex((result) => String(result.index) === inbound.params.index)
    if (index < 0) throw new Refusal('task_result_missing', { task: taskId })
    const { range } = inbound.client.headers
    return tasks.content(taskId, index, range === undefined ? {} : { range })
  }

  return {
    tasks: { kind: 'answer', answer: newest },
    task: {
      kind: 'answer',
      answer: async (inbound) => ({ status: 200, body: await whole(await own(inbound)) }),
    },
    cancel: { kind: 'answer', answer: cancelled },
    result: { kind: 'stream', open: opened },
  }
}
