/** The one access token that scripts of this family of gateways make and end for their owner, among those the owner has. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'

type FamilyTokenDependencies = Pick<Services, 'identity' | 'verification'>

/** Name of the token that POST /api/user/token makes. */
const familyToken = 'default'

export async function newAccessToken(
  request: ManagementRequest,
  { identity, verification }: FamilyTokenDependencies,
): Promise<Answer> {
  const { userId, sessionId } = verification.session(request)
  await verification.require(request, 'access_token')
  const made = await identity.accessTokens.replace({ userId, name: familyToken, sessionId })
  const headers = { 'cache-control': 'no-store' }
  const beside = { expires_at: made.expires_at }
  const audit = { object: `user ${userId}`, detail: tokenDetailOf(made) }
  return { answer: true, data: made.token, beside, headers, audit }
}

/** No proof is required: whoever holds a token that leaked may end it by the token itself. */
export async function endAccessToken(
  request: ManagementRequest,
  { identity }: Pick<FamilyTokenDependencies, 'identity'>,
): Promise<Answer> {
  const { userId, accessToken } = signedIn(request)
  const which = accessToken === undefined ? { name: familyToken } : { id: accessToken.id }
  const ended = await identity.accessTokens.end(userId, which)
  if (ended === undefined) throw new Refusal('gone_missing', { what: 'access token' })
  return {
    answer: true,
    data: null,
    audit: { object: `user ${userId}`, detail: tokenDetailOf(ended) },
  }
}

export function noAccessToken(): never {
  const headers = { allow: 'POST, DELETE' }
  throw new Refusal('method_not_allowed', { path: '/api/user/token', method: 'GET' }, { headers })
}

function tokenDetailOf({ id, name }: { readonly id: number; readonly name: string }): string {
  return `access token ${id} "${name}"`
}
