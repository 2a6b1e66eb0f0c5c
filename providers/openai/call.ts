/** One call to this upstream: address, key and the headers that name who pays. */
import type { Adapter, ChannelView } from '../../kernel/contract/provider.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'

/** `accept` where the answer is media or text as well as JSON. */
export function callTo(path: string, accept?: string): Adapter['address'] {
  return (_wire, channel, credentials, context) =>
    bearerRequest(upstreamUrl(channel.baseUrl, path), credentials, context, {
      accept,
      ...payerHeaders(channel),
    })
}

export function payerHeaders({ settings }: ChannelView): Record<string, string | undefined> {
  return {
    'openai-organization': trimmed(settings.organization),
    'openai-project': trimmed(settings.project),
  }
}

function trimmed(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined
}
