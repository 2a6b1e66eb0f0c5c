/** Moonshot: chat, messages and responses, at the platform or under the coding plan, which has places of its own. */
import type {
  Adapter,
  ChannelView,
  FormatAdapter,
  Provider,
} from '../../kernel/contract/provider.js'
import { bearerList, bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { accepted, elsewhere, knowsTools, refusedOf } from '../../kernel/toolkit/vendors/index.js'
import { balance } from './balance.js'
import { fail } from './fail.js'
import { refused, withForcedTool } from './forced-tools.js'
import { baseOf, isPlan } from './plan.js'
import { keepThoughts } from './thoughts.js'

export default function create(): Provider {
  return {
    operations: { chat: [chat, messages, responses] },
    models: bearerList(({ baseUrl }) => upstreamUrl(baseOf(baseUrl), '/v1/models'), fail),
    balance,
  }
}

const chat: FormatAdapter = {
  format: 'chat',
  refuses: (wire, _channel, model) => refused(wire, model),
  adjust: (wire) => keepThoughts(withForcedTool(wire)),
  address: callTo(() => '/v1/chat/completions'),
  fail,
}

const messages: FormatAdapter = {
  format: 'messages',
  refuses: (wire, _channel, model) => [
    ...refused(wire, model),
    ...refusedOf(elsewhere, wire, model),
  ],
  adjust: (wire) => accepted(elsewhere, withForcedTool(wire)),
  forwards: ['anthropic-version', 'anthropic-beta'],
  address: callTo(({ baseUrl }) => (isPlan(baseUrl) ? '/v1/messages' : '/anthropic/v1/messages')),
  fail,
}

const responses: FormatAdapter = {
  format: 'responses',
  serves: ({ baseUrl }, _model, client, call) => !isPlan(baseUrl) && knowsTools(client, call),
  address: callTo(() => '/v1/responses'),
  fail,
}

function callTo(path: (channel: ChannelView) => string): Adapter['address'] {
  return (_wire, channel, credentials, context) =>
    bearerRequest(upstreamUrl(baseOf(channel.baseUrl), path(channel)), credentials, context)
}
