/** The older text completion: a prompt goes on, whole or streamed. */
import type { Operation } from '../../../kernel/contract/operation.js'
import { jsonOf, modelNamed, WholeJsonWatch } from '../../../kernel/toolkit/operation/index.js'
import { check } from './check.js'
import { estimate, limits } from './estimate.js'
import { readReply } from './read-reply.js'
import { requestUsage } from './request-usage.js'
import { CompletionsWatch } from './watch.js'

export default function create(): Operation {
  return {
    name: 'completions',
    check,
    named: modelNamed,
    requestUsage,
    limits,
    estimate,
    readReply,
    watch: (type, wire) =>
      type.startsWith('text/event-stream') && jsonOf(wire).stream === true
        ? new CompletionsWatch(wire)
        : new WholeJsonWatch((body) => readReply(body, wire)),
  }
}
