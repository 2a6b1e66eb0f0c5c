/** How the tests of media tasks speak to a strict upstream: what was sent, and what came back. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'

export interface StrictReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export function replied(value: unknown, status = 200): StrictReply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  }
}

export function sentTo(
  upstream: {
    handle(
      method: string,
      path: string,
      headers: Readonly<Record<string, string>>,
      body: string,
    ): StrictReply
  },
  { method, url, headers, body }: UpstreamRequest,
): StrictReply {
  const { pathname, search } = new URL(url)
  return upstream.handle(method, pathname + search, headers, String(body ?? ''))
}

export function jsonIn(text: string): JsonObject {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
