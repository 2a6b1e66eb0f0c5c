/** Clips by Hailuo, on channels of MiniMax: a finished task names a file, whose address is a question of its own. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { bearerCall, bearerGet, upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import { fail } from './fail.js'
import { read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video } }
}

const video: TaskAdapter = {
  format: 'task',
  serves: (_channel, model) => /^(?:MiniMax-Hailuo-|[TIS]2V-01)/i.test(model),
  shape,
  quantities: quantitiesOf,
  address: bearerCall('/v1/video_generation'),
  submitted,
  poll: {
    batch: 1,
    request([task], { baseUrl }, credentials) {
      const file = textAt(task?.keep, 'file_id')
      const path =
        file === undefined
          ? `/v1/query/video_generation?task_id=${encodeURIComponent(task?.ref ?? '')}`
          : `/v1/files/retrieve?file_id=${encodeURIComponent(file)}`
      return bearerGet(upstreamUrl(baseUrl, path), credentials)
    },
    read,
  },
  fail,
}
