/** Anthropic's own service: the messages format, a key in `x-api-key` and a version that is always named. */
import type { Body } from '../../kernel/contract/body.js'
import type {
  AddressContext,
  ChannelView,
  Credentials,
  Provider,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { accepted, refusedOf } from '../../kernel/toolkit/vendors/index.js'
import { facts } from './facts.js'
import { fail } from './fail.js'
import { models } from './models.js'
import { adjustThinking } from './thinking.js'

export default function create(): Provider {
  return {
    operations: {
      chat: {
        format: 'messages',
        forwards: ['anthropic-version', 'vendor-version', 'anthropic-beta'],
        refuses: (wire, _channel, model) => refusedOf(facts, wire, model),
        adjust: (wire, channel) => accepted(facts, adjustThinking(wire, channel)),
        address,
        fail,
      },
    },
    models,
  }
}

/** The version that takes sampling parameters; newer ones refuse temperature, top_p and top_k. */
const defaultVersion = '2023-06-01'

function address(
  _wire: Body,
  { baseUrl }: ChannelView,
  { key }: Credentials,
  { forwarded, stream }: AddressContext,
): UpstreamRequest {
  const { 'anthropic-version': named, 'anthropic-beta': beta } = forwarded.headers
  const version = named ?? forwarded.headers['vendor-version'] ?? defaultVersion
  return {
    method: 'POST',
    url: upstreamUrl(baseUrl, '/v1/messages'),
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      'x-api-key': key,
      'anthropic-version': version,
      ...(beta === undefined ? {} : { 'anthropic-beta': beta }),
    },
  }
}
