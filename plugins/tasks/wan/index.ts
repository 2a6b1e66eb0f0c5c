/** Clips by Wan and what else is made by video synthesis, and pictures of a text, on channels of DashScope. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { address, cancel, poll } from './calls.js'
import { fail } from './fail.js'
import { images } from './images.js'
import { read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video, images } }
}

const video: TaskAdapter = {
  format: 'task',
  shape,
  quantities: quantitiesOf,
  address,
  submitted,
  poll: { batch: 1, request: poll, read },
  cancelsOnlyQueued: true,
  cancel,
  fail,
}
