/** The signed-in user's own account: what it holds, what its owner changes of it, and its end (management/README.md section 3). */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import { selfChanges } from './forms.js'
import {
  type PasswordLoginForm,
  passwordLoginForm,
  passwordOff,
  passwordSwitch,
} from './password-switch.js'
import { newToken, newTokenBeside, self as selfForm } from './responses.js'
import { securityEventsRoute } from './security-events.js'
import { passwordHash, type SelfChange, selfChanging } from './self-changes.js'
import { selfRecord } from './self-record.js'

const rootRole = 100
/** Name of the token that POST /api/user/token makes. */
const familyToken = 'default'

export default function create({
  services,
}: Kit<
  | 'database'
  | 'changes'
  | 'identity'
  | 'factors'
  | 'ledger'
  | 'verification'
  | 'registration'
  | 'guesses'
  | 'account-notices'
>): Management {
  const { database, changes, identity, factors, ledger, verification, registration } = services
  const change = selfChanging(services)
  const switchPassword = passwordSwitch(services)

  async function self(request: ManagementRequest) {
    const { userId, role } = signedIn(request)
    const record = (await identity.records([userId])).get(userId)
    if (record === undefined) throw new Refusal('gone_missing', { what: 'user' })
    return selfRecord({
      record,
      factors: await factors.of(userId),
      hasPassword: (await passwordHash(database.knex, userId)) !== '',
      passwordOff: await passwordOff(database.knex, userId),
      mustSetUpFactor: await identity.mustSetUpFactor({ userId, role }),
      wallet: (await ledger.wallets([userId])).get(userId),
    })
  }

  async function update(request: SelfChange): Promise<Answer> {
    const caller = signedIn(request)
    const passwordChanged = await change(request, caller)
    const audit = { object: `user ${caller.userId}`, detail: detailOf(request) }
    if (!passwordChanged) return { answer: true, data: null, audit }
    const { cookie } = await identity.renewSession(caller, request.secure)
    return { answer: true, data: null, headers: { 'set-cookie': cookie }, audit }
  }

  async function passwordLogin(
    request: ManagementRequest<unknown, PasswordLoginForm>,
  ): Promise<Answer> {
    const caller = verification.session(request)
    await switchPassword(request, caller)
    const { cookie } = await identity.renewSession(caller, request.secure)
    const detail = request.body.enabled ? 'on' : 'off'
    const audit = { object: `user ${caller.userId}`, detail }
    return { answer: true, data: null, headers: { 'set-cookie': cookie }, audit }
  }

  async function remove(request: ManagementRequest): Promise<Answer> {
    const { userId, role } = verification.session(request)
    if (role === rootRole) throw new Refusal('forbidden')
    await verification.require(request, 'account_delete')
    await database.knex.transaction((trx) => registration.leave(userId, trx))
    await changes.settled()
    const headers = identity.farewellHeaders(request.secure)
    return { answer: true, data: null, headers, audit: { object: `user ${userId}` } }
  }

  /** The one token of the family's scripts, among those the owner has. */
  async function newAccessToken(request: ManagementRequest): Promise<Answer> {
    const { userId, sessionId } = verification.session(request)
    await verification.require(request, 'access_token')
    const made = await identity.accessTokens.replace({ userId, name: familyToken, sessionId })
    const headers = { 'cache-control': 'no-store' }
    const beside = { expires_at: made.expires_at }
    const audit = { object: `user ${userId}`, detail: tokenDetailOf(made) }
    return { answer: true, data: made.token, beside, headers, audit }
  }

  /** No proof is required: whoever holds a token that leaked may end it by the token itself. */
  async function endAccessToken(request: ManagementRequest): Promise<Answer> {
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

  function noAccessToken(): never {
    const headers = { allow: 'POST, DELETE' }
    throw new Refusal('method_not_allowed', { path: '/api/user/token', method: 'GET' }, { headers })
  }

  return {
    routes: {
      self: { response: selfForm, handle: self },
      securityEvents: securityEventsRoute(services['account-notices']),
      update: { body: selfChanges, response: noData, handle: update },
      passwordLogin: { body: passwordLoginForm, response: noData, handle: passwordLogin },
      remove: { response: noData, handle: remove },
      newAccessToken: { response: newToken, beside: newTokenBeside, handle: newAccessToken },
      endAccessToken: { response: noData, handle: endAccessToken },
      noAccessToken: { response: noData, handle: noAccessToken },
    },
  }
}

/** Names of what was sent, never what it holds. */
function detailOf({ body }: SelfChange): string {
  const named = Object.entries(body).filter(([, value]) => value !== undefined)
  return named
    .map(([name]) => name)
    .filter((name) => name !== 'original_password')
    .join(', ')
}

function tokenDetailOf({ id, name }: { readonly id: number; readonly name: string }): string {
  return `access token ${id} "${name}"`
}
