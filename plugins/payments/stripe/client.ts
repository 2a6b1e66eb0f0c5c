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

interface Fault {
  readonly type?: string
  readonly code?: string
  readonly statusCode?: number
  readonly message?: string
}

/** Stripe does not know the object; one it knows of the other mode, which another key reaches, is not gone. */
export function isGone(error: unknown): boolean {
  const { code, message = '' } = error as Fault
  return code === 'resource_missing' && !message.includes('similar object exists')
}

/** What Stripe's client threw is put into a sentence that holds nothing of the account; what was thrown here is one. */
export function failed(error: unknown): never {
  const { type, code, statusCode } = error as Fault
  if (type === undefined) throw error
  if (type === 'StripeConnectionError') throw new Error('Stripe could not be reached.')
  const facts = [type, code, statusCode].filter((fact) => fact !== undefined).join(', ')
  throw new Error(`Stripe refused the call: ${facts}.`)
}
