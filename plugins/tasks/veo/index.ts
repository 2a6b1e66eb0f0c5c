/** Clips by Google's Veo, on channels of Gemini and of Vertex AI: one form of request and answer, each with its own addresses. */
import type { Provider } from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { geminiFail, vertexFail } from './fail.js'
import * as gemini from './gemini.js'
import { isVeo } from './model.js'
import { read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'
import { isVertex } from './types.js'
import * as vertex from './vertex.js'

export default function create(): Provider {
  return { operations: { video: [onGemini, onVertex] } }
}

const shared = { format: 'task', shape, submitted } as const

const onGemini: TaskAdapter = {
  ...shared,
  serves: (channel, model) => !isVertex(channel) && isVeo(model),
  quantities: quantitiesOf,
  address: gemini.address,
  poll: { batch: 1, request: gemini.poll, read },
  content: gemini.content,
  fail: geminiFail,
}

const onVertex: TaskAdapter = {
  ...shared,
  serves: (channel, model) => isVertex(channel) && isVeo(model),
  quantities: quantitiesOf,
  address: vertex.address,
  poll: { batch: 1, request: vertex.poll, read },
  content: vertex.content,
  fail: vertexFail,
}
