/**
 * A service principal's way to a token: its secret, exchanged at the token service of its tenant
 * (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow).
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { AuthorizeContext, ChannelView, Credentials } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  failureOfError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import { parsedObject, someText } from '../../kernel/toolkit/json/index.js'
import { tokenPlace } from './cloud.js'
import { principalOf } from './principal.js'

/** What a token lasts where the service does not say. */
const lifetimeSeconds = 3599

/** An API key needs no exchange. Throws `channel:invalid_key` for a principal that is not whole. */
export async function authorize(
  key: string,
  channel: ChannelView,
  { now, fetch }: AuthorizeContext,
): Promise<Credentials | { readonly failure: Failure }> {
  const principal = principalOf(key)
  if (principal === undefined) return { key }
  const { login, scope } = tokenPlace(channel)
  const answer = await fetch({
    method: 'POST',
    url: `${login}/${principal.tenant}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: principal.clientId,
      client_secret: principal.clientSecret,
      scope,
    }).toString(),
  })
  if (answer.status !== 200) return { failure: refused(answer) }
  const { access_token: token, expires_in: seconds } = bodyOf(answer)
  if (typeof token !== 'string' || token === '') return { failure: failureOfError({}, 200) }
  return { key, token, expiresAt: now + secondsOf(seconds) * 1000 }
}

/** What the service refuses is the operator's to mend; a client has no part in it. */
function refused({ status, headers, body }: WholeAnswer): Failure {
  const failure = upstreamFailure({ status, headers, head: body }, (error) => ({
    ...tokenError(error),
    ...(status >= 400 && status < 500 && { blame: 'channel' }),
  }))
  return failure.blame === 'client' ? failureOfError({ blame: 'channel' }, status) : failure
}

/** `{error, error_description}`; behind the first line of the description stand ids and the time. */
function tokenError({ error, error_description: description }: JsonObject): ErrorFields {
  const [message] = (someText(description) ?? '').split(/[\r\n]| Trace ID:/)
  return { message, code: someText(error) }
}

function secondsOf(value: Json | undefined): number {
  return typeof value === 'number' && value > 0 ? value : lifetimeSeconds
}

function bodyOf({ body }: WholeAnswer): JsonObject {
  return parsedObject(body.toString('utf8')) ?? {}
}
