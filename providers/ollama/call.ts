/** One call to this upstream. A server at home requires no key, and what stands for none is never sent. */
import type { Adapter, Credentials } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'

export function callTo(
  path: string,
  extra: Readonly<Record<string, string>> = {},
): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, { stream }) => ({
    method: 'POST',
    url: upstreamUrl(baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
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
