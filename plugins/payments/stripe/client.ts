/**
 * Stripe's own client, whose calls leave by the gateway's way out. It is imported when it is first needed: it takes memory, and
 * most gateways are paid otherwise.
 */
import type Stripe from 'stripe'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'

const timeoutMs = 10_000

export async function clientFor(key: string, fetch: OutgoingKit['fetch']): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  return new StripeClient(key, {
    httpClient: StripeClient.createFetchHttpClient(fetchBy(fetch)),
    // What is to be sent again is decided by who pays, under the same key.
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeoutMs,
  })
}

function fetchBy(fetch: OutgoingKit['fetch']): typeof globalThis.fetch {
  return (url, { method = 'GET', headers, body } = {}) => {
    const sent = Object.fromEntries(new Headers(headers).entries())
    const text = typeof body === 'string' && body !== '' ? { body } : {}
    return fetch(String(url), { method, headers: sent, timeoutMs, ...text })
  }
}

/** What went wrong, in a sentence that holds nothing of the account. */
export function faultOf(error: unknown): Error {
  const { type, code, statusCode } = error as { type?: string; code?: string; statusCode?: number }
  const facts = [type, code, statusCode].filter((fact) => fact !== undefined).join(', ')
  return new Error(
    facts === '' ? 'Stripe could not be reached.' : `Stripe refused the call: ${facts}.`,
    {
      cause: facts === '' ? error : undefined,
    },
  )
}
