/** Clips by Kling: of a text, of one or several pictures, longer ones, and lips that move to a sound. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { fail } from './fail.js'
import { call } from './key.js'
import { keptPath, kindOf, pathOf } from './path.js'
import { notice, read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { actions, shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video } }
}

const video: TaskAdapter = {
  format: 'task',
  actions,
  shape,
  quantities: quantitiesOf,
  address: (wire, channel, credentials, { now }) =>
    call('POST', pathOf(kindOf(jsonOf(wire))), channel, credentials, now),
  submitted,
  poll: {
    batch: 1,
    request([task], channel, credentials, { now }) {
      const path = `${keptPath(task?.keep.kind)}/${encodeURIComponent(task?.ref ?? '')}`
      return call('GET', path, channel, credentials, now)
    },
    read,
  },
  notice,
  fail,
}
