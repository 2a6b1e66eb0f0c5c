/** One call of the service, with the headers by which it knows an account and a client. */
import type { Adapter, Credentials } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { clientHeaders } from './client.js'
import { sessionOf } from './session.js'

const beta = 'responses=experimental'

export function callTo(path: string, accept: string): Adapter['address'] {
  return (_wire, channel, credentials, { forwarded }) => ({
    method: 'POST',
    url: upstreamUrl(channel.baseUrl, `/backend-api/codex/${path}`),
    headers: {
      'content-type': 'application/json',
      accept,
      'openai-beta': beta,
      ...clientHeaders(channel, forwarded),
      ...accountHeaders(credentials),
    },
  })
}

/** By the exchange they stand for, which is the same object for many calls. */
const known = new WeakMap<Credentials, Record<string, string>>()

export function accountHeaders(credentials: Credentials): Record<string, string> {
  const before = known.get(credentials)
  if (before !== undefined) return before
  const { accessToken, accountId } = sessionOf(credentials.key)
  const headers = {
    authorization: `Bearer ${credentials.token ?? accessToken}`,
    ...(accountId !== undefined && { 'chatgpt-account-id': accountId }),
  }
  known.set(credentials, headers)
  return headers
}
