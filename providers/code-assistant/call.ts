/** One call of the service, with the headers by which it knows an account and a client. */
import type { Adapter, AddressContext, Credentials } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { sessionOf } from './session.js'

/** What the assistant's own client sends about itself and its session; others send nothing (its source, 2026-11). */
export const forwards: readonly string[] = [
  'originator',
  'user-agent',
  'version',
  'openai-beta',
  'session_id',
  'session-id',
  'conversation_id',
  'thread-id',
  'x-client-request-id',
  'x-codex-beta-features',
  'x-codex-turn-state',
  'x-codex-turn-metadata',
  'x-codex-window-id',
  'x-codex-parent-thread-id',
  'x-openai-subagent',
]

const originator = 'codex_cli_rs'
const beta = 'responses=experimental'

export function callTo(path: string, accept: string): Adapter['address'] {
  return (_wire, channel, credentials, { forwarded }) => ({
    method: 'POST',
    url: upstreamUrl(channel.baseUrl, `/backend-api/codex/${path}`),
    headers: {
      'content-type': 'application/json',
      accept,
      originator,
      'openai-beta': beta,
      ...clientHeaders(forwarded),
      ...accountHeaders(credentials),
    },
  })
}

/** A client that does not name itself is none of the service's own, and its user agent would only be held against it. */
function clientHeaders({ headers }: AddressContext['forwarded']): Record<string, string> {
  const reported: Record<string, string> = {}
  for (const name of forwards) {
    const value = headers[name]
    if (value) reported[name] = value
  }
  if (reported.originator === undefined) delete reported['user-agent']
  return reported
}

/** By the exchange they stand for, which is the same object for many calls. */
const known = new WeakMap<Credentials, Record<string, string>>()

function accountHeaders(credentials: Credentials): Record<string, string> {
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
