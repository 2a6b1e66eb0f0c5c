/**
 * Realtime: a session of many answers over a WebSocket, in the events its clients already speak (RT-1). There is no
 * body; the address names the model, and the events are watched as they pass.
 */
import type { Operation } from '../../../kernel/contract/operation.js'
import { requiredModel } from '../../../kernel/toolkit/operation/index.js'
import { RealtimeSession } from './session.js'
import { stepOf } from './step.js'

export default function create(): Operation {
  return {
    name: 'realtime',
    check: (_, hints) => ({ model: requiredModel(hints?.model), stream: true, wantsUsage: true }),
    named: (body) => body,
    limits: () => ({}),
    estimate: () => stepOf({ spoken: true }),
    readReply: noSingleAnswer,
    watch: noSingleAnswer,
    session: (options) => new RealtimeSession(options),
  }
}

/** The upstream stage opens a session instead. */
function noSingleAnswer(): never {
  throw new Error('a realtime session has no single answer')
}
