/** A JSON call with a bearer key, as most upstreams take it: URL, headers, no signature. */
import type {
  Adapter,
  AddressContext,
  Credentials,
  UpstreamRequest,
} from '../../contract/provider.js'
import { upstreamUrl } from './address.js'

/** An adapter's address: this path at the channel's own base. */
export function bearerCall(path: string): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, path), credentials, context)
}

/** `extra` headers of undefined or empty value are left out; names are lower case. */
export function bearerRequest(
  url: string,
  { key, token }: Credentials,
  { stream, forwarded }: AddressContext,
  extra: Readonly<Record<string, string | undefined>> = {},
): UpstreamRequest {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    authorization: `Bearer ${(token ?? key).trim()}`,
  }
  for (const more of [forwarded.headers, extra]) {
    for (const name in more) {
      const value = more[name]
      if (value) headers[name] = value
    }
  }
  return { method: 'POST', url, headers }
}
