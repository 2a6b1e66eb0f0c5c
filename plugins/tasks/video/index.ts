/** Clips by any upstream with a submission, a poll and answers of JSON: the settings of the channel state where everything is. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { upstreamFailure } from '../../../kernel/toolkit/errors/index.js'
import { address, content, poll } from './calls.js'
import { read, submitted } from './progress.js'
import { faultOf } from './protocol.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video }, faultOf }
}

const video: TaskAdapter = {
  format: 'task',
  shape,
  quantities: quantitiesOf,
  address,
  submitted,
  poll: { batch: 1, request: poll, read },
  content,
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}
