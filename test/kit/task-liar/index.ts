/**
 * A task type that believes its upstream: what that sends is a submission or a report as it stands, against every contract. Each of
 * its functions throws where the prompt of the task, which it keeps, says so: `throws cancel`.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Provider } from '../../../kernel/contract/provider.js'
import type { Progress, Submission, TaskAdapter, TaskRef } from '../../../kernel/contract/task.js'
import { upstreamFailure } from '../../../kernel/toolkit/errors/upstream-failure.js'
import { jsonOf } from '../../../kernel/toolkit/operation/operation-body.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/address.js'
import { bearerRequest } from '../../../kernel/toolkit/provider/bearer-request.js'
import { quantities } from '../../../kernel/toolkit/task/answer.js'

export default function create(): Provider {
  return { operations: { video } }
}

function fault(verb: string, prompt: Json | undefined): void {
  if (prompt === `throws ${verb}`) throw new Error(`no ${verb}`)
}

const promptOf = ({ keep }: TaskRef) => keep.prompt

/** Numbers JSON has no words for. */
const words: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
}

function believed(body: Buffer): JsonObject {
  const value = JSON.parse(body.toString('utf8'), (_, one) =>
    typeof one === 'string' && one in words ? words[one] : one,
  )
  if (!isObject(value)) throw new Error('no object')
  return value
}

const video: TaskAdapter = {
  format: 'task',
  shape(body, _, model, context) {
    const { prompt } = jsonOf(body)
    fault('shape', prompt)
    return { kind: 'json', value: { model, prompt, notify: context?.callbackUrl } }
  },
  quantities(wire) {
    fault('quantities', jsonOf(wire).prompt)
    return quantities({ second: 5 }, { resolution: '720p' })
  },
  address: (_, channel, credentials, context) =>
    bearerRequest(upstreamUrl(channel.baseUrl, '/submit'), credentials, context),
  submitted(answer, wire) {
    fault('submitted', jsonOf(wire).prompt)
    const submission = believed(answer.body) as unknown as Submission
    return { keep: { prompt: jsonOf(wire).prompt }, ...submission }
  },
  poll: {
    batch: 20,
    request(refs, channel) {
      for (const ref of refs) fault('poll.request', promptOf(ref))
      const ids = refs.map(({ ref }) => ref)
      return {
        method: 'POST',
        url: upstreamUrl(channel.baseUrl, '/poll'),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ids }),
      }
    },
    read(answer, refs) {
      for (const ref of refs) fault('poll.read', promptOf(ref))
      return believed(answer.body).tasks as unknown as Progress[]
    },
    readRefusal(_, ref) {
      fault('poll.readRefusal', promptOf(ref))
      return undefined
    },
  },
  notice({ body }, ref) {
    fault('notice', promptOf(ref))
    return believed(body) as unknown as Progress
  },
  content(ref, _, channel) {
    fault('content', promptOf(ref))
    return { method: 'GET', url: channel.baseUrl, headers: {} }
  },
  cancel(ref, channel) {
    fault('cancel', promptOf(ref))
    return { method: 'DELETE', url: channel.baseUrl, headers: {} }
  },
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}
