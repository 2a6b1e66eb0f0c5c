/** Clips by Vidu: of a text, of a first picture, between two, of several things, and longer ones. */
import type {
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskAdapter } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { notice, read, submitted } from './progress.js'
import { quantitiesOf } from './quantities.js'
import { actions, kindIn, sentOf, shape } from './shape.js'

export default function create(): Provider {
  return { operations: { video } }
}

const video: TaskAdapter = {
  format: 'task',
  actions,
  shape,
  quantities: quantitiesOf,
  address(wire, channel, credentials) {
    const body = jsonOf(wire)
    return call('POST', kindIn(body), channel, credentials, sentOf(body))
  },
  submitted,
  poll: {
    batch: 1,
    request: ([task], channel, credentials) =>
      call('GET', `${placeOf(task?.ref ?? '')}/creations`, channel, credentials),
    read,
  },
  notice,
  cancelsOnlyQueued: true,
  cancel: ({ ref }, channel, credentials) =>
    call('POST', `${placeOf(ref)}/cancel`, channel, credentials, { id: ref }),
  fail,
}

function placeOf(ref: string): string {
  return `tasks/${encodeURIComponent(ref)}`
}

function call(
  method: 'GET' | 'POST',
  place: string,
  { baseUrl }: ChannelView,
  { key }: Credentials,
  body?: object,
): UpstreamRequest {
  return {
    method,
    url: upstreamUrl(baseUrl, `/ent/v2/${place}`),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      accept: 'application/json',
      authorization: `Token ${key.trim()}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}
