/** Pictures and clips by the protocol of midjourney-proxy: submitted by action, watched in batches, reported to an address. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskAdapter, TaskCallback, TaskRef } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { answerObject, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { fail } from './codes.js'
import { progressOf, readList } from './progress.js'
import { seedPath } from './results.js'
import { pathOf, shape, speedOf, submitActions, withoutPlace } from './shape.js'
import { submitted } from './submitted.js'

export default function create(): Provider {
  return { operations: { midjourney } }
}

const midjourney: TaskAdapter = {
  format: 'task',
  actions: submitActions,
  shape,
  quantities: (wire) => quantities({ piece: 1 }, dimensionsOf(jsonOf(wire))),
  address: (wire, channel, credentials) => submission(wire, channel, credentials),
  submitted,
  poll: {
    batch: 100,
    request: (refs, channel, credentials) => ({
      ...call(channel, credentials, '/mj/task/list-by-condition'),
      body: JSON.stringify({
        ids: refs.filter(({ keep }) => keep.uploaded === undefined).map(({ ref }) => ref),
      }),
    }),
    read: readList,
  },
  notice,
  content: (ref, _result, channel, credentials) => ({
    ...call(channel, credentials, seedPath(ref.ref)),
    method: 'GET',
  }),
  fail,
}

function submission(wire: Body, channel: ChannelView, credentials: Credentials): UpstreamRequest {
  const fields = jsonOf(wire)
  return {
    ...call(channel, credentials, pathOf(fields)),
    body: JSON.stringify(withoutPlace(fields)),
  }
}

function call({ baseUrl }: ChannelView, { key }: Credentials, path: string): UpstreamRequest {
  return {
    method: 'POST',
    url: upstreamUrl(baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'mj-api-secret': key.trim(),
    },
  }
}

function dimensionsOf(wire: JsonObject) {
  return { mode: speedOf(wire), action: textAt(wire, 'submit') ?? '' }
}

/** The whole task, sent with every change to an address nobody else knows. */
function notice({ body }: TaskCallback, { ref }: TaskRef) {
  const task = answerObject({ status: 200, headers: {}, body })
  return textAt(task, 'id') === ref ? progressOf(task, ref) : undefined
}
