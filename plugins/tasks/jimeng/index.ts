/** Clips by Jimeng: of a text, of a first picture, and between two. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import { fail } from './codes.js'
import { read, readRefusal, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'
import { call } from './sign.js'

export default function create(): Provider {
  return { operations: { video } }
}

const video: TaskAdapter = {
  format: 'task',
  shape,
  quantities: quantitiesOf,
  address: (wire, channel, credentials, { now }) =>
    call('CVSync2AsyncSubmitTask', jsonOf(wire), channel, credentials, now),
  submitted,
  poll: {
    batch: 1,
    request([task], channel, credentials, { now }) {
      const way = textAt(task?.keep, 'req_key') ?? task?.model ?? ''
      const value = { req_key: way, task_id: task?.ref ?? '' }
      return call('CVSync2AsyncGetResult', value, channel, credentials, now)
    },
    read,
    readRefusal,
  },
  fail,
}
