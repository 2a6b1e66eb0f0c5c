/** Clips by Seedance models of VolcEngine Ark, billed by the tokens the service reports. */
import type {
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { normalBase } from '../../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { notice, read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video } }
}

const video: TaskAdapter = {
  format: 'task',
  shape,
  quantities: quantitiesOf,
  address: (_wire, channel, credentials) => call('POST', '', channel, credentials),
  submitted,
  poll: {
    batch: 1,
    request: ([task], channel, credentials) => call('GET', task?.ref ?? '', channel, credentials),
    read,
  },
  notice,
  cancelsOnlyQueued: true,
  cancel: ({ ref }, channel, credentials) => call('DELETE', ref, channel, credentials),
  fail,
}

/** A base URL is an origin, or a path out of the documentation. */
const written = /\/api(?:\/v3)?$/

function call(
  method: 'GET' | 'POST' | 'DELETE',
  ref: string,
  { baseUrl }: ChannelView,
  { key }: Credentials,
): UpstreamRequest {
  const origin = normalBase(baseUrl).replace(written, '')
  const place = ref === '' ? '' : `/${encodeURIComponent(ref)}`
  return {
    method,
    url: `${origin}/api/v3/contents/generations/tasks${place}`,
    headers: {
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      accept: 'application/json',
      authorization: `Bearer ${key.trim()}`,
    },
  }
}
