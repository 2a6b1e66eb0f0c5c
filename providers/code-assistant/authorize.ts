/**
 * The access token of a session, renewed when it is about to end or was refused. A renewal spends the refresh token, so
 * what it brings takes the place of the channel's key.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { AuthorizeContext, ChannelView, Credentials } from '../../kernel/contract/provider.js'
import { failureOfError, Refusal, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { endOf, type Renewal, renewedKey, sessionOf } from './session.js'

const renewalUrl = 'https://auth.openai.com/oauth/token'
/** The assistant's own, as its source has it; it is public. */
const clientId = 'app_EMoamEEZ73f0CkXaXp7hrann'
/** Renewed this long before its end; longer than the gateway keeps away from it. */
const earlyMs = 10 * 60_000

type Authorized = Credentials | { readonly failure: Failure }

/** Throws `channel:invalid_key` for a key that is no session, or one that ended and cannot be renewed. */
export async function authorize(
  key: string,
  _channel: ChannelView,
  context: AuthorizeContext,
): Promise<Authorized> {
  const { accessToken: token, refreshToken } = sessionOf(key)
  const expiresAt = endOf(token)
  const left = token === context.refused ? 0 : (expiresAt ?? Infinity) - context.now
  const current = { key, token, expiresAt }
  if (left > earlyMs) return current
  // It still works for a while, even where it cannot be renewed just now.
  if (left > 0) return refreshToken === undefined ? current : eitherOf(renewal(), current)
  if (refreshToken === undefined) throw new Refusal('channel:invalid_key')
  return renewal()

  function renewal(): Promise<Authorized> {
    return renewed(key, refreshToken!, context)
  }
}

async function eitherOf(renewal: Promise<Authorized>, current: Credentials): Promise<Authorized> {
  try {
    const authorized = await renewal
    return 'failure' in authorized ? current : authorized
  } catch {
    return current
  }
}

async function renewed(
  key: string,
  refreshToken: string,
  { now, fetch }: AuthorizeContext,
): Promise<Authorized> {
  const answer = await fetch({
    method: 'POST',
    url: renewalUrl,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }),
  })
  if (answer.status !== 200) return { failure: refused(answer) }
  const tokens = tokensIn(answer)
  const { access_token: token } = tokens
  if (token === undefined) return { failure: failureOfError({}, 200) }
  const next = renewedKey(key, tokens, now)
  return { key: next, token, expiresAt: endOf(token), renewedKey: next }
}

function tokensIn({ body }: WholeAnswer): Renewal {
  const { access_token, refresh_token, id_token } = parsed(body)
  const reported = Object.entries({ access_token, refresh_token, id_token })
  return Object.fromEntries(
    reported.filter(([, token]) => typeof token === 'string' && token !== ''),
  )
}

/** A refresh token that ended, was used or was taken back is a 400 or 401: the operator has to sign in again. */
function refused({ status, headers, body }: WholeAnswer): Failure {
  const failure = upstreamFailure({ status, headers, head: body })
  return failure.blame === 'client' ? failureOfError({ blame: 'channel' }, status) : failure
}

function parsed(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
