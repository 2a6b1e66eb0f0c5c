/** A task type of the tests: one JSON call to submit, one for twenty tasks at once, reports, cancelling. */

import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Provider } from '../../../kernel/contract/provider.js'
import type { Progress, TaskAdapter } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { upstreamFailure } from '../../../kernel/toolkit/errors/upstream-failure.js'
import { jsonOf } from '../../../kernel/toolkit/operation/operation-body.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/address.js'
import { bearerRequest } from '../../../kernel/toolkit/provider/bearer-request.js'
import {
  answerObject,
  listAt,
  numberAt,
  quantities,
  stateReader,
  textAt,
} from '../../../kernel/toolkit/task/answer.js'
import { videoRequest } from '../../../kernel/toolkit/task/video-request.js'

export default function create(): Provider {
  return { operations: { video } }
}

const stateOf = stateReader({
  queued: ['queued'],
  running: ['running'],
  succeeded: ['done'],
  failed: ['failed'],
})

const video: TaskAdapter = {
  format: 'task',
  actions: ['extend'],
  shape(body, _, model, context) {
    const { prompt, seconds = 5, resolution = '720p' } = videoRequest(jsonOf(body))
    const origin = context?.origin?.ref
    const notify = context?.callbackUrl
    const value: JsonObject = {
      ...{ model, prompt, seconds, resolution },
      ...(origin !== undefined && { origin }),
      ...(notify !== undefined && { notify }),
    }
    return { kind: 'json', value }
  },
  quantities(wire) {
    const { seconds, resolution } = jsonOf(wire)
    return quantities({ second: Number(seconds), piece: 1 }, { resolution: String(resolution) })
  },
  address: (_, channel, credentials, context) =>
    bearerRequest(upstreamUrl(channel.baseUrl, '/submit'), credentials, context),
  submitted(answer) {
    const ref = textAt(answerObject(answer), 'id')
    if (ref === undefined) {
      const status = numberAt(answerObject(answer), 'refused') ?? 500
      return { failure: upstreamFailure({ ...answer, status, head: answer.body }) }
    }
    return { ref, keep: { kept: true } }
  },
  poll: {
    batch: 20,
    request: (refs, channel, { key }) => ({
      method: 'POST',
      url: upstreamUrl(channel.baseUrl, '/poll'),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids: refs.map(({ ref }) => ref) }),
    }),
    read: (answer) => listAt(answerObject(answer), 'tasks').filter(isObject).map(progressOf),
  },
  notice({ body }) {
    const report: Json = JSON.parse(body.toString('utf8'))
    if (!isObject(report)) throw new Refusal('invalid_request', { reason: 'No report.' })
    return progressOf(report)
  },
  cancel: ({ ref }, channel, { key }) => ({
    method: 'DELETE',
    url: upstreamUrl(channel.baseUrl, `/tasks/${encodeURIComponent(ref)}`),
    headers: { authorization: `Bearer ${key}` },
  }),
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

function progressOf(report: JsonObject): Progress {
  const seconds = numberAt(report, 'seconds')
  const place = textAt(report, 'url') ?? textAt(report, 'data')
  return {
    ref: textAt(report, 'id') ?? '',
    state: stateOf(report.status),
    word: textAt(report, 'status'),
    percent: numberAt(report, 'percent'),
    ...(place !== undefined && { results: [{ type: madeOf(report), ...placeOf(place) }] }),
    reason: textAt(report, 'reason'),
    ...(seconds !== undefined && { made: { counts: { second: seconds } } }),
    raw: report,
  }
}

function madeOf({ type }: JsonObject): 'video' | 'image' | 'audio' {
  return type === 'image' || type === 'audio' ? type : 'video'
}

function placeOf(url: string) {
  return url.startsWith('data:') ? { data: url } : { url }
}
