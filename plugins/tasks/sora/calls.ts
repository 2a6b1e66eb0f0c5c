/** Calls to the service: where each goes, and what it carries. */

import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { bearerGet, bearerRequest, upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'

/** A remix names its clip in the path, so what the wire holds of it stays here. */
export function address(
  wire: Body,
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
): UpstreamRequest {
  const call = (path: string) =>
    bearerRequest(
      upstreamUrl(channel.baseUrl, path),
      credentials,
      { ...context, stream: false },
      payer(channel),
    )
  const { remix, ...rest } = jsonOf(wire)
  if (remix === undefined) return call('/v1/videos')
  const clip = textAt(remix, 'id')
  if (clip === undefined) throw invalidField('action', '"remix" needs a task that made a clip')
  return { ...call(`${clipPath(clip)}/remix`), body: JSON.stringify(rest) }
}

export function poll(
  [task]: readonly TaskRef[],
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  return bearerGet(
    upstreamUrl(channel.baseUrl, clipPath(task?.ref ?? '')),
    credentials,
    payer(channel),
  )
}

export function content(
  { ref }: TaskRef,
  _result: TaskResult,
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  return bearerGet(contentUrl(ref, channel), credentials, { ...payer(channel), accept: '*/*' })
}

export function contentUrl(ref: string, { baseUrl }: ChannelView): string {
  return upstreamUrl(baseUrl, `${clipPath(ref)}/content`)
}

function clipPath(id: string): string {
  return `/v1/videos/${encodeURIComponent(id)}`
}

/** Settings of the channels of OpenAI that name who pays. */
function payer({ settings }: ChannelView): Record<string, string | undefined> {
  return {
    'openai-organization': trimmed(settings, 'organization'),
    'openai-project': trimmed(settings, 'project'),
  }
}

function trimmed(settings: JsonObject, name: string): string | undefined {
  return textAt(settings, name)?.trim()
}
