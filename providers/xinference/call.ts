/** One call to this upstream. Most servers ask for no key, and what stands for none is never sent. */
import type { Adapter } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/wire/address.js'

/** `accept` where the answer is media or text as well as JSON. */
export function callTo(path: string, accept = 'application/json'): Adapter['address'] {
  return (_wire, { baseUrl }, { key }, { stream }) => {
    const secret = key.trim()
    const isKey = secret !== '' && secret !== '-'
    return {
      method: 'POST',
      url: upstreamUrl(baseUrl, path),
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream' : accept,
        ...(isKey && { authorization: `Bearer ${secret}` }),
      },
    }
  }
}
