/** Anthropic's own service: the messages format, a key in `x-api-key` and a version that is always named. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { AdapterBase, ChannelView, Provider } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { accepted, refusedOf, uncountedFields } from '../../kernel/toolkit/vendors/index.js'
import { facts } from './facts.js'
import { fail } from './fail.js'
import { models } from './models.js'
import { adjustThinking } from './thinking.js'

export default function create(): Provider {
  return {
    operations: {
      chat: {
        ...shared,
        format: 'messages',
        refuses: (wire, _channel, model) => refusedOf(facts, wire, model),
        address: callTo('/v1/messages'),
      },
      count: {
        ...shared,
        format: 'same',
        serves: (_channel, _model, client) => client === 'messages',
        refuses: (wire, _channel, model) => [
          ...uncountedFields(wire),
          ...refusedOf(facts, wire, model),
        ],
        address: callTo('/v1/messages/count_tokens'),
      },
    },
    models,
  }
}

/** The version that takes sampling parameters; newer ones refuse temperature, top_p and top_k. */
const defaultVersion = '2023-06-01'

const shared = {
  forwards: ['anthropic-version', 'vendor-version', 'anthropic-beta'],
  adjust: (wire: JsonObject, channel: ChannelView) =>
    accepted(facts, adjustThinking(wire, channel)),
  fail,
} as const

function callTo(path: string): AdapterBase['address'] {
  return (_wire, { baseUrl }, { key }, { forwarded, stream }) => {
    const { 'anthropic-version': named, 'anthropic-beta': beta } = forwarded.headers
    const version = named ?? forwarded.headers['vendor-version'] ?? defaultVersion
    return {
      method: 'POST',
      url: upstreamUrl(baseUrl, path),
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream' : 'application/json',
        'x-api-key': key,
        'anthropic-version': version,
        ...(beta === undefined ? {} : { 'anthropic-beta': beta }),
      },
    }
  }
}
