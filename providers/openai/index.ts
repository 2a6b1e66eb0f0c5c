/** OpenAI itself: bearer key, optional organization, and the one spelling of the output limit its newer models take. */
import type { Adapter, ChannelView, Provider } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/wire/address.js'
import { bearerRequest } from '../../kernel/wire/bearer-request.js'
import { upstreamFailure } from '../../kernel/wire/upstream-failure.js'
import { spellLimit } from './spell-limit.js'

export default function create(): Provider {
  return { operations: { chat } }
}

const chat: Adapter = {
  format: 'chat',
  forwards: ['openai-beta'],
  adjust: spellLimit,
  address: (_, channel, credentials, context) =>
    bearerRequest(upstreamUrl(channel.baseUrl, '/v1/chat/completions'), credentials, context, {
      'openai-organization': organization(channel),
    }),
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

function organization({ settings }: ChannelView): string | undefined {
  return typeof settings.organization === 'string' ? settings.organization.trim() : undefined
}
