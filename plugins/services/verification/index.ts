/** Step-up: proofs for one use that the person in a session is its owner (AUTH-4, AUTH-5, E5). */
import type { Knex } from 'knex'
import type { ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { OneTimeTaken } from '../one-time/index.js'
import { proofForm } from './proof-form.js'
import type { LiveSession, Proof, Scope, Verification } from './verification.js'

export type * from './verification.js'

const kind = 'proof'
const seconds = 300

const scopes: Readonly<Record<Scope, true>> = {
  access_token: true,
  account_delete: true,
  password_change: true,
  email_change: true,
  two_factor: true,
  passkey_register: true,
  passkey_delete: true,
  channel_key: true,
  balance: true,
  oauth_unbind: true,
}

export default function create({ services, clock }: Kit<'identity' | 'one-time'>): Verification {
  const { identity, 'one-time': oneTime } = services

  async function grant(principal: Principal, scope: Scope, trx?: Knex.Transaction): Promise<Proof> {
    const { userId, sessionId } = session({ principal })
    const expiresAt = Math.floor(clock.now() / 1000) + seconds
    const token = await oneTime.issue({ kind, userId, sessionId, data: { scope }, seconds }, trx)
    return { token, expiresAt }
  }

  const names = Object.keys(scopes) as readonly Scope[]
  return {
    scopes: names,
    response: proofForm(names),
    session,
    grant,
    async require(request, scope, trx) {
      const asker = session(request)
      const token = request.headers['x-verification-token']
      const taken = typeof token === 'string' ? await oneTime.take(kind, token, trx) : undefined
      if (!fits(taken, asker, scope)) throw new Refusal('verification_required', { scope })
    },
    async answer(request, { scope, method }) {
      const { principal, cookie } = await identity.renewSession(session(request), request.secure)
      const { token, expiresAt } = await grant(principal, scope)
      return {
        answer: true,
        data: { proof_token: token, expires_at: expiresAt, method, scope },
        headers: { 'set-cookie': cookie },
        audit: { object: `user ${principal.userId}`, detail: `${scope} by ${method}` },
      }
    },
  }
}

function session({ principal }: Pick<ManagementRequest, 'principal'>): LiveSession {
  const sessionId = principal?.via === 'session' ? principal.sessionId : undefined
  if (principal === undefined || sessionId === undefined) throw new Refusal('session_required')
  return { ...principal, sessionId }
}

/** A proof shown where it does not fit is spent all the same: it has been in the wrong hands. */
function fits(
  taken: OneTimeTaken | undefined,
  { userId, sessionId }: LiveSession,
  scope: Scope,
): boolean {
  return (
    taken !== undefined &&
    taken.userId === userId &&
    taken.sessionId === sessionId &&
    taken.data.scope === scope
  )
}
