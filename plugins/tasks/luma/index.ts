/** Clips by the Dream Machine API of Luma: of a text, between two frames, and on from a clip it made. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { upstreamFailure } from '../../../kernel/toolkit/errors/index.js'
import { bearerCall, bearerGet, upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { notice, read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { actions, shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video } }
}

const path = '/dream-machine/v1/generations'

const video: TaskAdapter = {
  format: 'task',
  actions,
  shape,
  quantities: quantitiesOf,
  address: bearerCall(path),
  submitted,
  poll: {
    batch: 1,
    request([task], { baseUrl }, credentials) {
      const id = encodeURIComponent(task?.ref ?? '')
      return bearerGet(upstreamUrl(baseUrl, `${path}/${id}`), credentials)
    },
    read,
  },
  notice,
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}
