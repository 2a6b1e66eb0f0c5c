/**
 * Calls to the Gemini API: an API key in a header, operations and files behind it
 * (https://ai.google.dev/gemini-api/docs/video).
 */

import type { Body } from '../../../kernel/contract/body.js'
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { modelSegment, normalBase } from '../../../kernel/toolkit/provider/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import { bareName } from './model.js'

export function address(
  _wire: Body,
  channel: ChannelView,
  credentials: Credentials,
  { model }: AddressContext,
): UpstreamRequest {
  return {
    method: 'POST',
    url: `${root(channel)}/models/${modelSegment(bareName(model))}:predictLongRunning`,
    headers: { 'content-type': 'application/json', ...shared(credentials) },
  }
}

export function poll(
  [task]: readonly TaskRef[],
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const name = (task?.ref ?? '').split('/').map(encodeURIComponent).join('/')
  return { method: 'GET', url: `${root(channel)}/${name}`, headers: shared(credentials) }
}

/** The path of the file at the channel's own address: its key is for no other. */
export function content(
  _task: TaskRef,
  { url = '' }: TaskResult,
  { baseUrl }: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const { pathname, search } = new URL(url)
  return {
    method: 'GET',
    url: `${withoutVersion(baseUrl)}${pathname}${search}`,
    headers: { ...shared(credentials), accept: '*/*' },
  }
}

function shared({ key, token }: Credentials) {
  return { accept: 'application/json', 'x-goog-api-key': (token ?? key).trim() }
}

function root({ baseUrl, settings }: ChannelView): string {
  return `${withoutVersion(baseUrl)}/${textAt(settings, 'api_version') ?? 'v1beta'}`
}

/** People copy the address with its version. */
function withoutVersion(baseUrl: string): string {
  return normalBase(baseUrl).replace(/\/v1(?:alpha|beta)$/, '')
}
