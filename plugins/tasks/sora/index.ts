/** Clips by the Videos API of OpenAI, and by servers that copy it: made, remade with another prompt, fetched with the key. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { address, content, poll } from './calls.js'
import { fail } from './fail.js'
import { read, readRefusal, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video } }
}

const video: TaskAdapter = {
  format: 'task',
  actions: ['remix'],
  shape,
  quantities: quantitiesOf,
  address,
  submitted,
  poll: { batch: 1, request: poll, read, readRefusal },
  content,
  fail,
}
