/** `/api/user/2fa`: the caller's authenticator app and recovery codes. Whatever changes ends their other sessions. */
import joi from 'joi'
import type { Knex } from 'knex'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData, noFields, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { LiveSession } from '../../services/verification/index.js'
import { renewedCodes, twoFactorSetup, twoFactorStatus } from './responses.js'

interface CodeForm {
  readonly code: string
}

type Coded = ManagementRequest<unknown, CodeForm>

const codeForm = joi.object({ code: joi.string().trim().max(32).required() }).required()

export default function create({
  services,
}: Kit<'identity' | 'database' | 'factors' | 'verification' | 'guesses'>): Management {
  const { identity, database, factors, verification, guesses } = services

  async function status(request: ManagementRequest) {
    const { enabled, locked, recoveryCodes } = await factors.totp(signedIn(request).userId)
    return { enabled, locked, backup_codes_remaining: recoveryCodes }
  }

  async function setUp(request: ManagementRequest) {
    const session = verification.session(request)
    // Always: whoever merely holds the session could verify everything else with an app of their own.
    await verification.require(request, 'two_factor')
    const { secret, url, recoveryCodes } = await factors.setUp(session)
    return { secret, qr_code_data: url, backup_codes: recoveryCodes }
  }

  async function enable(request: Coded) {
    const session = verification.session(request)
    await factors.enable(session.userId, request.body.code, cutting(session))
    return renewed(request, session, null)
  }

  async function disable(request: Coded) {
    const session = verification.session(request)
    await checked(session, request.body.code)
    await database.knex.transaction(async (trx) => {
      await factors.remove(session.userId, 'totp', trx)
      await cutting(session)(trx)
    })
    return renewed(request, session, null)
  }

  async function renewCodes(request: Coded) {
    const session = verification.session(request)
    await checked(session, request.body.code)
    const codes = await factors.renewRecoveryCodes(session.userId, cutting(session))
    return renewed(request, session, { backup_codes: codes })
  }

  async function checked(session: LiveSession, code: string): Promise<void> {
    await guesses.inSession(session, 'code')
    await factors.check(session.userId, code, 'known')
  }

  function cutting(session: LiveSession) {
    return (trx: Knex.Transaction) => identity.cutSessions(session.userId, trx, session)
  }

  async function renewed(
    { secure }: ManagementRequest,
    session: LiveSession,
    data: unknown,
  ): Promise<Answer> {
    const { cookie } = await identity.renewSession(session, secure)
    const audit = { object: `user ${session.userId}` }
    return { answer: true, data, headers: { 'set-cookie': cookie }, audit }
  }

  return {
    routes: {
      status: { response: twoFactorStatus, handle: status },
      setUp: { body: noFields, response: twoFactorSetup, handle: setUp },
      enable: { body: codeForm, response: noData, handle: enable },
      disable: { body: codeForm, response: noData, handle: disable },
      renewCodes: { body: codeForm, response: renewedCodes, handle: renewCodes },
    },
  }
}
