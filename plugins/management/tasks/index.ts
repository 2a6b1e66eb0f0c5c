/** Media tasks: everybody's for admins, their own for users (X12), and what upstreams report of them by themselves. */
import joi from 'joi'
import type {
  Management,
  ManagementRequest,
  ManagementRoute,
} from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { TaskPage, TaskQuery, TaskRecord } from '../../services/tasks/index.js'
import { receive } from './callback.js'
import {
  allPictures,
  allQuery,
  ownPictures,
  ownQuery,
  type PictureForm,
  pictureQuery,
  type TaskForm,
  taskQuery,
} from './filters.js'
import { pictureTask } from './pictures.js'
import { anyDetails, anyTask, ownDetails, ownTask, type Previewed } from './records.js'
import * as responses from './responses.js'

type Item = TaskPage['items'][number] & Previewed

const taskParams = joi.object({ task: joi.string().max(128).required() })
const secretParams = taskParams.keys({ secret: joi.string().max(128).required() })

export default function create({ services, clock }: Kit<'database' | 'tasks'>): Management {
  const { database, tasks } = services

  async function page(query: TaskQuery, shown: (item: Item) => unknown) {
    const { items, total } = await tasks.page(query)
    const shownItems = items.map((item) => shown(previewed(item)))
    return { page: query.page, page_size: query.pageSize, total, items: shownItems }
  }

  /** Pages load nothing from elsewhere, so whatever has an address is shown by way of this gateway. */
  function previewed<Task extends TaskRecord>(task: Task): Task & Previewed {
    const previewOf = (index: number) => {
      const { url } = task.results[index] ?? {}
      return url === undefined ? undefined : pathOf(tasks.signed.of(task, index))
    }
    return { ...task, previewOf }
  }

  /** Rejects with `task_not_found` where it is not the caller's. */
  async function ownId(request: ManagementRequest): Promise<string> {
    const { taskId } = await tasks.find(signedIn(request).userId, request.params.task ?? '')
    return taskId
  }

  const readAny = async (taskId = '') => anyDetails(previewed(await tasks.details(taskId)))
  const readOwn = async (taskId: string) => ownDetails(previewed(await tasks.details(taskId)))

  /** It ends what somebody else paid for: only of users below the caller. */
  async function cancel(request: ManagementRequest) {
    const { userId, role } = signedIn(request)
    const taskId = request.params.task ?? ''
    const { userId: owner } = await tasks.details(taskId)
    const found = await database.knex('users').where({ id: owner }).first('role')
    if (owner !== userId && role <= Number(found?.role ?? 0)) throw new Refusal('forbidden')
    await tasks.cancel(taskId)
    return readAny(taskId)
  }

  async function cancelOwn(request: ManagementRequest) {
    const taskId = await ownId(request)
    await tasks.cancel(taskId)
    return readOwn(taskId)
  }

  async function poll({ params }: ManagementRequest) {
    await tasks.poll(params.task ?? '')
    return readAny(params.task)
  }

  async function removeOwn(request: ManagementRequest) {
    await tasks.remove(signedIn(request).userId, request.params.task ?? '')
    return null
  }

  function ofTask(response: joi.Schema, handle: ManagementRoute['handle']): ManagementRoute {
    return { params: taskParams, response, handle }
  }

  function callback(method: 'GET' | 'POST'): ManagementRoute {
    return {
      params: secretParams,
      query: joi.object().unknown(true),
      response: noData,
      handle: (request) => receive(method, request, { tasks, clock }),
    }
  }

  return {
    routes: {
      list: {
        query: allQuery,
        response: responses.anyTaskPage,
        searches: true,
        handle: ({ query }: ManagementRequest<TaskForm>) => page(taskQuery(query), anyTask),
      },
      own: {
        query: ownQuery,
        response: responses.ownTaskPage,
        searches: true,
        handle: (request: ManagementRequest<TaskForm>) =>
          page(taskQuery(request.query, signedIn(request).userId), ownTask),
      },
      read: ofTask(responses.anyTaskDetails, ({ params }) => readAny(params.task)),
      readOwn: ofTask(responses.ownTaskDetails, async (request) => readOwn(await ownId(request))),
      poll: ofTask(responses.anyTaskDetails, poll),
      cancel: ofTask(responses.anyTaskDetails, cancel),
      cancelOwn: ofTask(responses.ownTaskDetails, cancelOwn),
      removeOwn: ofTask(noData, removeOwn),
      pictures: {
        query: allPictures,
        response: responses.picturePage,
        searches: true,
        handle: ({ query }: ManagementRequest<PictureForm>) =>
          page(pictureQuery(query), (item) => pictureTask(anyTask(item), item.channelId)),
      },
      picturesOwn: {
        query: ownPictures,
        response: responses.picturePage,
        searches: true,
        handle: (request: ManagementRequest<PictureForm>) =>
          page(pictureQuery(request.query, signedIn(request).userId), (item) =>
            pictureTask(ownTask(item), 0),
          ),
      },
      callback: callback('POST'),
      callbackByGet: callback('GET'),
    },
  }
}

/** Without the public address of the server, which may not be where the page was found. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost')
  return `${pathname}${search}`
}
