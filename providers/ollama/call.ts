/** One call to this upstream. A server at home asks for no key, and what stands for none is never sent. */
import type { Adapter } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/wire/address.js'

export function callTo(
  path: string,
  extra: Readonly<Record<string, string>> = {},
): Adapter['address'] {
  return (_wire, { baseUrl }, { key }, { stream }) => {
    const secret = key.trim()
    return {
      method: 'POST',
      url: upstreamUrl(baseUrl, path),
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream' : 'application/json',
        ...(isKey(secret) && { authorization: `Bearer ${secret}` }),
        ...extra,
      },
    }
  }
}

function isKey(secret: string): boolean {
  return secret !== '' && secret !== '-'
}
