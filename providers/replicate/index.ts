/** Images by predictions of Replicate: submitted, watched, and answered within the request. */
import type { ChannelView, Credentials, Provider } from '../../kernel/contract/provider.js'
import type { TaskAdapter, TaskRef } from '../../kernel/contract/task.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { jsonOf, reportsUntold } from '../../kernel/toolkit/operation/index.js'
import {
  bearerGet,
  bearerRequest,
  modelSegment,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { quantities } from '../../kernel/toolkit/task/index.js'
import { countOf, requestOf } from './input.js'
import { inputFact } from './input-facts.js'
import { models } from './models.js'
import { folded, readPrediction, submitted } from './prediction.js'

export default function create(): Provider {
  return {
    operations: {
      images: predictions(false),
      edits: {
        ...predictions(true),
        serves: (_channel, model) => inputFact(model)?.pictures !== undefined,
      },
    },
    models,
  }
}

function predictions(isEdit: boolean): TaskAdapter {
  return {
    format: 'task',
    shape: (body, _channel, model) => ({
      kind: 'json',
      value: {
        ...(!isOfficial(model) && { version: model }),
        ...requestOf(body, model, isEdit),
      },
    }),
    refuses: reportsUntold(),
    quantities: (wire) => quantities({ piece: countOf(jsonOf(wire)) }),
    address: (_wire, { baseUrl }, credentials, context) =>
      bearerRequest(upstreamUrl(baseUrl, pathOf(context.model)), credentials, context, waiting),
    submitted,
    poll: {
      batch: 1,
      request: ([task], channel, credentials) => bearerGet(urlOf(channel, task), credentials),
      read: readPrediction,
    },
    cancel: (task, channel, credentials) => cancelOf(task, channel, credentials),
    fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
    folded,
  }
}

/** What is done within it is answered at once; whether a longer call was accepted would be in doubt for as long. */
const waiting = { prefer: 'wait=5' }

/** Models of others run by a version, which the body names. */
function isOfficial(model: string): boolean {
  return /^[^/:]+\/[^/:]+$/.test(model)
}

function pathOf(model: string): string {
  if (!isOfficial(model)) return '/v1/predictions'
  return `/v1/models/${model.split('/').map(modelSegment).join('/')}/predictions`
}

function urlOf({ baseUrl }: ChannelView, task: TaskRef | undefined): string {
  return upstreamUrl(baseUrl, `/v1/predictions/${encodeURIComponent(task?.ref ?? '')}`)
}

function cancelOf(task: TaskRef, channel: ChannelView, credentials: Credentials) {
  const request = bearerGet(`${urlOf(channel, task)}/cancel`, credentials)
  return { ...request, method: 'POST' as const }
}
