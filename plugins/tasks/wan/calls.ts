/** Calls to the service. Its documentation gives the base with the compatible mode or without; both are the same place. */

import type { Body } from '../../../kernel/contract/body.js'
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskRef } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { bearerGet, bearerRequest, normalBase } from '../../../kernel/toolkit/provider/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'

/** Two frames in the words of older models are another service. */
export function address(
  wire: Body,
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
): UpstreamRequest {
  const fields = jsonOf(wire)
  const isFrames = ['input.first_frame_url', 'input.last_frame_url'].some(
    (path) => textAt(fields, path) !== undefined,
  )
  const service = isFrames ? 'image2video' : 'video-generation'
  const url = urlOf(channel, `services/aigc/${service}/video-synthesis`)
  return bearerRequest(url, credentials, { ...context, stream: false }, asynchronous)
}

export function imageAddress(
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
): UpstreamRequest {
  const url = urlOf(channel, 'services/aigc/text2image/image-synthesis')
  return bearerRequest(url, credentials, { ...context, stream: false }, asynchronous)
}

const asynchronous = { 'x-dashscope-async': 'enable' }

export function poll(
  [task]: readonly TaskRef[],
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  return bearerGet(urlOf(channel, `tasks/${encodeURIComponent(task?.ref ?? '')}`), credentials)
}

/** Only tasks that wait can be ended; the service refuses the others. */
export function cancel(
  { ref }: TaskRef,
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const url = urlOf(channel, `tasks/${encodeURIComponent(ref)}/cancel`)
  return { ...bearerGet(url, credentials), method: 'POST' }
}

function urlOf({ baseUrl }: ChannelView, path: string): string {
  return `${normalBase(baseUrl).replace(/\/compatible-mode$/, '')}/api/v1/${path}`
}
