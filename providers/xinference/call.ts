/** One call to this upstream. Most servers ask for no key, and what stands for none is never sent. */
import type { Adapter, Credentials } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'

/** `accept` where the answer is media or text as well as JSON. */
export function callTo(
  path: string,
  accept = 'application/json',
  extra: Readonly<Record<string, string>> = {},
): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, { stream }) => ({
    method: 'POST',
    url: upstreamUrl(baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : accept,
      ...authorization(credentials),
      ...extra,
    },
  })
}

/** Nothing where the key stands for none. */
export function authorization({ key }: Credentials): Record<string, string> {
  const secret = key.trim()
  return secret === '' || secret === '-' ? {} : { authorization: `Bearer ${secret}` }
}
