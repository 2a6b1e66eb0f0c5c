/**
 * A service account's way to a token: a statement signed with its key, exchanged at Google's token endpoint
 * (https://developers.google.com/identity/protocols/oauth2/service-account#httprest).
 */
import { sign } from 'node:crypto'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { AuthorizeContext, ChannelView, Credentials } from '../../kernel/contract/provider.js'
import { failureOfError, Refusal, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { someText } from '../../kernel/toolkit/json/index.js'
import { type ServiceAccount, serviceAccount } from './account.js'

const tokenUrl = 'https://oauth2.googleapis.com/token'
const scope = 'https://www.googleapis.com/auth/cloud-platform'
/** The longest the endpoint allows. */
const statementSeconds = 3600

/** An API key needs no exchange. Throws `channel:invalid_key` for an account whose key is none. */
export async function authorize(
  key: string,
  _channel: ChannelView,
  { now, fetch }: AuthorizeContext,
): Promise<Credentials | { readonly failure: Failure }> {
  const account = serviceAccount(key)
  if (account === undefined) return plainKey(key)
  const answer = await fetch({
    method: 'POST',
    url: tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: statement(account, now),
    }).toString(),
  })
  if (answer.status !== 200) return { failure: refused(answer) }
  const { access_token: token, expires_in: seconds } = bodyOf(answer)
  if (typeof token !== 'string' || token === '') return { failure: failureOfError({}, 200) }
  const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : statementSeconds
  return { key, token, expiresAt: now + lifetime * 1000 }
}

/** What looks like an account and is none would go out as a key. */
function plainKey(key: string): Credentials {
  if (/^\s*[{[]/.test(key)) throw new Refusal('channel:invalid_key')
  return { key }
}

/** Signed with RS256, as the endpoint requires. */
function statement({ email, privateKey, privateKeyId }: ServiceAccount, now: number): string {
  const issuedAt = Math.floor(now / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(privateKeyId && { kid: privateKeyId }) }
  const claims = {
    iss: email,
    scope,
    aud: tokenUrl,
    iat: issuedAt,
    exp: issuedAt + statementSeconds,
  }
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${signature(text, privateKey)}`
}

function signature(text: string, privateKey: string): string {
  try {
    return sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')
  } catch {
    throw new Refusal('channel:invalid_key')
  }
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The endpoint answers 400 to a key it does not know any more, and says why to the operator; a client has no part in that. */
function refused({ status, headers, body }: WholeAnswer): Failure {
  const failure = upstreamFailure({ status, headers, head: body }, (reported) => ({
    message: someText(reported.error_description),
    code: someText(reported.error),
    ...(status >= 400 && status < 500 && { blame: 'channel' }),
  }))
  return failure.blame === 'client' ? failureOfError({ blame: 'channel' }, status) : failure
}

function bodyOf({ body }: WholeAnswer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
