/** Calls to the upstream, by the protocol of the channel. */

import type { Body } from '../../../kernel/contract/body.js'
import type {
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import { protocolOf, withoutProtocol } from './protocol.js'

export function address(
  wire: Body,
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const path = textAt(protocolOf(channel.settings), 'submit_path') ?? '/v1/video/generations'
  return {
    method: 'POST',
    url: upstreamUrl(channel.baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...keyOf(channel, credentials),
    },
    body: JSON.stringify(withoutProtocol(wire)),
  }
}

export function poll(
  [task]: readonly TaskRef[],
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const path =
    textAt(protocolOf(channel.settings), 'poll_path') ?? '/v1/video/generations/{task_id}'
  const id = encodeURIComponent(task?.ref ?? '')
  return {
    method: 'GET',
    url: upstreamUrl(
      channel.baseUrl,
      path.replaceAll('{task_id}', () => id),
    ),
    headers: { accept: 'application/json', ...keyOf(channel, credentials) },
  }
}

/** The key goes to the channel's own address and nowhere else. */
export function content(
  _task: TaskRef,
  { url = '' }: TaskResult,
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const key = isOwn(url, channel) ? keyOf(channel, credentials) : {}
  return { method: 'GET', url, headers: { accept: '*/*', ...key } }
}

export function isOwn(url: string, { baseUrl }: ChannelView): boolean {
  if (!URL.canParse(url) || !URL.canParse(baseUrl)) return false
  return new URL(url).origin === new URL(baseUrl).origin
}

function keyOf({ settings }: ChannelView, { key, token }: Credentials): Record<string, string> {
  const protocol = protocolOf(settings)
  const header = (textAt(protocol, 'auth_header') ?? 'authorization').toLowerCase()
  const prefix = textAt(protocol, 'auth_prefix')
  const secret = (token ?? key).trim()
  return { [header]: prefix === undefined ? secret : `${prefix.trim()} ${secret}` }
}
