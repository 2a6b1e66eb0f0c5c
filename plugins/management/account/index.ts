/** The signed-in user's own account: what it holds, what its owner changes of it, and its end (management/README.md section 3). */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import { endAccessToken, newAccessToken, noAccessToken } from './family-token.js'
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

  return {
    routes: {
      self: { response: selfForm, handle: self },
      securityEvents: securityEventsRoute(services['account-notices']),
      update: { body: selfChanges, response: noData, handle: update },
      passwordLogin: { body: passwordLoginForm, response: noData, handle: passwordLogin },
      remove: { response: noData, handle: remove },
      newAccessToken: {
        response: newToken,
        beside: newTokenBeside,
        handle: (request) => newAccessToken(request, services),
      },
      endAccessToken: {
        response: noData,
        handle: (request) => endAccessToken(request, services),
      },
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
