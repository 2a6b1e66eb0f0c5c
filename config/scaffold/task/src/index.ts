/** Clips of Acme: a call submits one, further calls poll it until it is done. */
import {
  isObject,
  type JsonObject,
  type Progress,
  type Provider,
  type TaskAdapter,
} from 'waybill/contract'
import { upstreamFailure } from 'waybill/toolkit/errors'
import { invalidField, jsonOf } from 'waybill/toolkit/operation'
import { bearerCall, bearerGet, upstreamUrl } from 'waybill/toolkit/provider'
import {
  answerObject,
  numberAt,
  quantities,
  refAt,
  stateReader,
  textAt,
  videoRequest,
} from 'waybill/toolkit/task'

const stateOf = stateReader({
  queued: ['waiting'],
  running: ['working'],
  succeeded: ['done'],
  failed: ['broken'],
})

const video: TaskAdapter = {
  format: 'task',
  shape(body, _channel, model) {
    const { prompt, seconds, resolution, count, metadata } = videoRequest(jsonOf(body))
    if (count > 1) throw invalidField('n', 'must be 1')
    const { model: _, ...words } = metadata
    const value: JsonObject = {
      ...{ model, prompt },
      ...(seconds !== undefined && { seconds }),
      ...(resolution !== undefined && { resolution }),
      ...words,
    }
    return { kind: 'json', value }
  },
  quantities(wire) {
    const { seconds, resolution } = {
      seconds: numberAt(jsonOf(wire), 'seconds') ?? 0,
      resolution: textAt(jsonOf(wire), 'resolution'),
    }
    return quantities(
      { second: seconds > 0 ? seconds : 5, piece: 1 },
      { resolution: resolution ?? '720p' },
    )
  },
  address: bearerCall('/v1/clips'),
  submitted(answer) {
    const ref = refAt(answerObject(answer), 'id')
    return ref === undefined
      ? { failure: upstreamFailure({ ...answer, head: answer.body }) }
      : { ref }
  },
  poll: {
    batch: 1,
    request: ([task], { baseUrl }, credentials) =>
      bearerGet(
        upstreamUrl(baseUrl, `/v1/clips/${encodeURIComponent(task?.ref ?? '')}`),
        credentials,
      ),
    read(answer, refs) {
      const clip = answerObject(answer)
      if (!isObject(clip) || clip.id === undefined)
        return { failure: upstreamFailure({ ...answer, head: answer.body }) }
      return refs
        .filter(({ ref }) => ref === textAt(clip, 'id'))
        .map(({ ref }) => progressOf(clip, ref))
    },
  },
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

function progressOf(clip: JsonObject, ref: string): Progress {
  const url = textAt(clip, 'url')
  const seconds = numberAt(clip, 'seconds')
  return {
    ...{ ref, state: stateOf(clip.status), raw: clip },
    ...(textAt(clip, 'status') !== undefined && { word: textAt(clip, 'status') }),
    ...(textAt(clip, 'reason') !== undefined && { reason: textAt(clip, 'reason') }),
    ...(url !== undefined &&
      /^https?:/.test(url) &&
      URL.canParse(url) && { results: [{ type: 'video', url }] }),
    ...(seconds !== undefined && { made: quantities({ second: seconds }) }),
  }
}

export default function create(): Provider {
  return { operations: { video } }
}
