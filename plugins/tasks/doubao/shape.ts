/** The operation's body as the service's request. What the client writes in the service's own words wins. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext } from '../../../kernel/contract/task.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import { contentOf } from './content.js'
import { factsOf } from './model.js'

export function shape(
  body: Body,
  _channel: ChannelView,
  model: string,
  { callbackUrl }: TaskContext = {},
): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  if (request.count > 1) throw invalidField('n', 'must be 1')
  // A model has its price, and tasks are reported here.
  const { content: _, model: __, callback_url: ___, ...metadata } = request.metadata
  const value: JsonObject = present({
    model,
    content: contentOf(request, model),
    resolution: resolutionOf(request, requested),
    ratio: ratioOf(request, requested),
    duration: durationOf(request, model),
    seed: request.seed,
    watermark: request.watermark,
    generate_audio: request.audio,
    callback_url: callbackUrl,
    ...metadata,
  })
  return { kind: 'json', value }
}

const usualHeights = [480, 720, 1080]

/** As it is named. Of a size: the nearest there is. */
function resolutionOf({ resolution }: VideoRequest, { resolution: named }: JsonObject) {
  if (resolution === undefined || named === resolution) return resolution?.toLowerCase()
  const height = Number.parseInt(resolution, 10)
  const nearest = usualHeights.reduce((best, one) =>
    Math.abs(one - height) < Math.abs(best - height) ? one : best,
  )
  return `${nearest}p`
}

const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive']

function ratioOf({ aspect }: VideoRequest, { aspect_ratio: named }: JsonObject) {
  if (aspect === undefined || ratios.includes(aspect)) return aspect
  const field = named === aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must have the aspect ratio ${ratios.join(', ')}`)
}

function durationOf({ seconds }: VideoRequest, model: string): number | undefined {
  const { seconds: known } = factsOf(model)
  if (seconds === undefined || known === undefined) return seconds
  const { least, most } = known
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return seconds
  throw invalidField(
    'seconds',
    `must be a whole number from ${least} to ${most} for the model ${model}`,
  )
}
