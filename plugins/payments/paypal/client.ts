/** Calls of PayPal's interface, under a token that is kept for its time. Errors hold names of faults and nothing of the account. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { Clock, OutgoingKit } from '../../../kernel/contract/kit.js'
import { numberOf, objectsOf, parsedText, someText } from '../../../kernel/toolkit/json/index.js'
import type { Account } from './settings.js'

interface Call {
  readonly path: string
  /** Present: it is posted. */
  readonly body?: JsonObject
  /** The same at every try, so that nothing happens twice. */
  readonly key?: string
}

export type Caller = (call: Call) => Promise<JsonObject>

export class PayPalError extends Error {
  constructor(
    readonly status: number,
    readonly issue: string,
  ) {
    super(`PayPal refused the call with status ${status}${issue === '' ? '' : ` (${issue})`}.`)
  }
}

interface Token {
  readonly owner: string
  readonly until: number
  readonly text: string
}

export function createCaller(
  account: () => Account,
  { fetch, clock }: Pick<OutgoingKit, 'fetch'> & { readonly clock: Clock },
): Caller {
  let kept: Token | undefined

  async function token(current: Account): Promise<string> {
    const owner = JSON.stringify([current.clientId, current.clientSecret, current.isTest])
    if (kept?.owner === owner && kept.until > clock.now()) return kept.text
    const credentials = Buffer.from(`${current.clientId}:${current.clientSecret}`)
    const found = await objectFrom(
      fetch(`${originOf(current)}/v1/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${credentials.toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      }),
    )
    const text = someText(found.access_token)
    if (text === undefined) throw new Error('PayPal returned no token.')
    const seconds = Math.max((numberOf(found.expires_in) ?? 0) - 60, 0)
    kept = { owner, text, until: clock.now() + seconds * 1000 }
    return text
  }

  return async ({ path, body, key }) => {
    const current = account()
    const headers = {
      authorization: `Bearer ${await token(current)}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'paypal-request-id': key, prefer: 'return=representation' }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    try {
      return await objectFrom(fetch(`${originOf(current)}${path}`, sent))
    } catch (error) {
      if (error instanceof PayPalError && error.status === 401) kept = undefined
      throw error
    }
  }
}

function originOf({ isTest }: Account): string {
  return `https://api-m.${isTest ? 'sandbox.' : ''}paypal.com`
}

async function objectFrom(call: Promise<Response>): Promise<JsonObject> {
  const response = await call
  const found = parsedText(await response.text())
  if (!response.ok) {
    const issue = isObject(found) ? objectsOf(found.details)[0]?.issue : undefined
    const name = typeof issue === 'string' && /^[A-Z_]{1,64}$/.test(issue) ? issue : ''
    throw new PayPalError(response.status, name)
  }
  if (!isObject(found)) throw new Error('PayPal returned no object.')
  return found
}
