/** Songs and lyrics by the protocol of Suno-API: submitted by action, watched in batches, reported to an address. */
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
import { answerObject, objectAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { fail, submitted } from './answers.js'
import { progressOf, readList } from './progress.js'
import { pathOf, shape, submitActions } from './shape.js'

export default function create(): Provider {
  return { operations: { music } }
}

const music: TaskAdapter = {
  format: 'task',
  actions: submitActions,
  shape,
  quantities: (wire) => quantities({ piece: 1 }, dimensionsOf(jsonOf(wire))),
  address(wire, channel, credentials) {
    const { submit: _, ...request } = jsonOf(wire)
    const path = pathOf(jsonOf(wire))
    return { ...call(channel, credentials, path), body: JSON.stringify(request) }
  },
  submitted,
  poll: {
    batch: 50,
    request: (refs, channel, credentials) => ({
      ...call(channel, credentials, '/suno/fetch'),
      body: JSON.stringify({ ids: refs.map(({ ref }) => ref) }),
    }),
    read: readList,
  },
  notice,
  fail,
}

function call({ baseUrl }: ChannelView, { key }: Credentials, path: string): UpstreamRequest {
  return {
    method: 'POST',
    url: upstreamUrl(baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${key.trim()}`,
    },
  }
}

function dimensionsOf(wire: JsonObject) {
  const { mv, make_instrumental: instrumental } = wire
  return {
    action: textAt(wire, 'submit') ?? '',
    mv: typeof mv === 'string' && mv !== '' ? mv : undefined,
    instrumental: instrumental === true,
  }
}

/** The task alone, or in the envelope of an answer. */
function notice({ body }: TaskCallback, { ref }: TaskRef) {
  const report = answerObject({ status: 200, headers: {}, body })
  const task = report.task_id === undefined ? objectAt(report, 'data') : report
  return textAt(task, 'task_id') === ref ? progressOf(task, ref) : undefined
}
